import {
  CORE_SCHEMA,
  constructFromEvents,
  type Event,
  FAILSAFE_SCHEMA,
  parseEvents,
  YAMLException,
} from 'js-yaml';
import { findForbiddenEvent } from './event-guard.ts';
import { type DuplicateKey, findDuplicateKeys, placesIn } from './event-positions.ts';
import { parseWithFallback } from './fallback-parser.ts';
import { LineIndex } from './line-index.ts';
import { topLevelMap, type YamlDocument, type YamlPlaces, type YamlProblem } from './yaml-document.ts';
import { yamlLimits } from './yaml-limits.ts';

/** `text`: every scalar stays text, as enums want it. `typed`: numbers and booleans by YAML 1.2's core schema. */
export type ScalarReading = 'typed' | 'text';

/** Reads one file's text. Never throws; what is refused comes with its offset. */
export function parseYaml(text: string, scalars: ScalarReading): YamlDocument {
  if (new LineIndex(text).count > yamlLimits.maxLines) return refused(tooManyLines);
  const zeroOffset = text.indexOf('\0');
  if (zeroOffset !== -1) return refused(zeroByteAt(zeroOffset));
  let events: Event[];
  try {
    events = parseEvents(endLastLine(text), { maxDepth: yamlLimits.maxDepth });
  } catch (error) {
    const problem = parserProblem(error);
    return (isWorthFallback(problem) ? parseWithFallback(text, scalars) : undefined) ?? refused(problem);
  }
  const forbidden = findForbiddenEvent(events, text);
  if (forbidden !== undefined) return refused(forbidden);

  const places = placesIn(events, text);
  if (events.length === 0) return { value: {}, problems: [], ...places };
  const options = {
    source: text,
    schema: scalars === 'text' ? FAILSAFE_SCHEMA : CORE_SCHEMA,
    maxAliases: yamlLimits.maxAliases,
  };
  try {
    return { ...topLevelMap(constructFromEvents(events, options)[0]), ...places };
  } catch (error) {
    const duplicates: DuplicateKey[] = [];
    findDuplicateKeys(events, text, (duplicate) => {
      if (duplicates.length < yamlLimits.maxProblems) duplicates.push(duplicate);
    });
    if (duplicates.length === 0) return refused(parserProblem(error));
    try {
      const document = topLevelMap(constructFromEvents(events, { ...options, json: true })[0]);
      const lines = new LineIndex(text);
      const problems = duplicates.map((duplicate) => duplicateProblem(lines, duplicate));
      return { value: document.value, problems: [...document.problems, ...problems], ...places };
    } catch (otherError) {
      return refused(parserProblem(otherError));
    }
  }
}

/** Where things stand in a text that was read before, without its value. */
export function findPlaces(text: string, scalars: ScalarReading): YamlPlaces {
  try {
    return placesIn(parseEvents(text, { maxDepth: yamlLimits.maxDepth }), text);
  } catch {
    return parseWithFallback(text, scalars) ?? placesIn([], '');
  }
}

/**
 * The parser's errors quote a last line without an end whole, each tab replaced: 0.1 s for a mebibyte. An end more
 * changes no value that has text in that line.
 */
function endLastLine(text: string): string {
  const start = text.lastIndexOf('\n') + 1;
  const isCheap = text.length - start < maxQuotedCharacters || !text.includes('\t', start);
  return isCheap ? text : `${text}\n`;
}

const maxQuotedCharacters = 65_536;

/** Real files indent closing brackets too little; nobody needs control characters. */
function isWorthFallback({ rule, message }: YamlProblem): boolean {
  return rule === 'syntax' && !message.includes('non-printable');
}

const tooManyLines: YamlProblem = {
  rule: 'too-large',
  message: `The file has more than ${yamlLimits.maxLines} lines. Split it.`,
  offset: 0,
};

function zeroByteAt(offset: number): YamlProblem {
  return { rule: 'syntax', message: 'This is not YAML: null byte is not allowed in input.', offset };
}

function refused(problem: YamlProblem): YamlDocument {
  return {
    value: undefined,
    problems: [problem],
    ...placesIn([], ''),
  };
}

function parserProblem(error: unknown): YamlProblem {
  if (!(error instanceof YAMLException)) {
    return { rule: 'syntax', message: 'The YAML parser gave up on this file. Make it simpler.', offset: 0 };
  }
  const offset = error.mark?.position ?? 0;
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
    message: `“${key}” stands here a second time; the first is in line ${line}. Keep one of them.`,
    offset,
  };
}
