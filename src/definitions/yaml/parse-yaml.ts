import { CORE_SCHEMA, constructFromEvents, FAILSAFE_SCHEMA, YAMLException } from 'js-yaml';
import { findForbiddenEvent } from './event-guard.ts';
import { type DuplicateKey, findDuplicateKeys, placesIn } from './event-positions.ts';
import { LineIndex } from './line-index.ts';
import { readEvents, type YamlEvents } from './read-events.ts';
import { topLevelMap, type YamlDocument, type YamlPlaces, type YamlProblem } from './yaml-document.ts';
import { yamlLimits } from './yaml-limits.ts';

/** `text`: every scalar stays text, as in enum files. `typed`: numbers and booleans as in the core schema of YAML 1.2. */
export type ScalarReading = 'typed' | 'text';

/** Reads one file's text. Never throws: a text that is refused has problems, each with its offset. */
export function parseYaml(
  text: string,
  scalars: ScalarReading,
  maxLines: number = yamlLimits.maxLines,
): YamlDocument {
  if (new LineIndex(text).count > maxLines) return refused(tooManyLines(maxLines));
  const zeroOffset = text.indexOf('\0');
  if (zeroOffset !== -1) return refused(zeroByteAt(zeroOffset));
  let parsed: YamlEvents;
  try {
    parsed = readEvents(text);
  } catch (error) {
    return refused(parserProblem(error));
  }
  const forbidden = findForbiddenEvent(parsed);
  if (forbidden !== undefined) return refused(forbidden);

  const { events, source } = parsed;
  const places = placesIn(parsed);
  if (events.length === 0) return { value: {}, problems: [], ...places };
  const options = {
    source,
    schema: scalars === 'text' ? FAILSAFE_SCHEMA : CORE_SCHEMA,
    maxAliases: yamlLimits.maxAliases,
  };
  try {
    return { ...topLevelMap(constructFromEvents(events, options)[0]), ...places };
  } catch (error) {
    const duplicates: DuplicateKey[] = [];
    findDuplicateKeys(parsed, (duplicate) => {
      if (duplicates.length < yamlLimits.maxProblems) duplicates.push(duplicate);
    });
    if (duplicates.length === 0) return refused(parserProblem(error, parsed.offsetAt));
    try {
      const document = topLevelMap(constructFromEvents(events, { ...options, json: true })[0]);
      const lines = new LineIndex(text);
      const problems = duplicates.map((duplicate) => duplicateProblem(lines, duplicate));
      return { value: document.value, problems: [...document.problems, ...problems], ...places };
    } catch (otherError) {
      return refused(parserProblem(otherError, parsed.offsetAt));
    }
  }
}

/** Where keys and values are in a text that was read before. */
export function findPlaces(text: string): YamlPlaces {
  try {
    return placesIn(readEvents(text));
  } catch {
    return noPlaces;
  }
}

function tooManyLines(maxLines: number): YamlProblem {
  return { rule: 'too-large', message: `The file has more than ${maxLines} lines. Split it.`, offset: 0 };
}

function zeroByteAt(offset: number): YamlProblem {
  return { rule: 'syntax', message: 'This is not YAML: null byte is not allowed in input.', offset };
}

const noPlaces: YamlPlaces = { keys: () => [], keyOffset: () => undefined, entryAt: () => undefined };

function refused(problem: YamlProblem): YamlDocument {
  return { value: undefined, problems: [problem], ...noPlaces };
}

function parserProblem(
  error: unknown,
  offsetAt: YamlEvents['offsetAt'] = (position) => position,
): YamlProblem {
  if (!(error instanceof YAMLException)) {
    return { rule: 'syntax', message: 'The YAML parser failed on this file. Simplify it.', offset: 0 };
  }
  const offset = offsetAt(error.mark?.position ?? 0);
  if (error.reason.startsWith('nesting exceeded')) {
    const message = `Nested more than ${yamlLimits.maxDepth} levels deep. Definitions need fewer than ten.`;
    return { rule: 'too-deep', message, offset };
  }
  return { rule: 'syntax', message: `This is not YAML: ${error.reason}.`, offset };
}

function duplicateProblem(lines: LineIndex, { path, firstOffset, offset }: DuplicateKey): YamlProblem {
  const key = path.at(-1) ?? '';
  const { line } = lines.at(firstOffset);
  return {
    rule: path.length === 1 ? 'duplicate-id' : 'duplicate-key',
    message: `“${key}” is defined twice; the first one is in line ${line}. Keep one of them.`,
    offset,
  };
}
