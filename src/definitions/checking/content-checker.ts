import { normalizeOid } from '../../model/oid.ts';
import { type TSchema, type TypeCheck, TypeCompiler } from '../../typebox.ts';
import { type DefinitionKind, definitionSchemas } from '../schema/definition-kinds.ts';
import { LineIndex } from '../yaml/line-index.ts';
import { parseYaml, type ScalarReading } from '../yaml/parse-yaml.ts';
import { noPositions } from '../yaml/position-node.ts';
import { yamlLimits } from '../yaml/yaml-limits.ts';
import type { ContentProblem, ParsedContent } from './checked-file.ts';
import { coerceEntry } from './coerce-entry.ts';
import { findSchemaProblems } from './schema-problems.ts';

/** Checks the text of files against the schemas of their kinds. Compiles each schema once. */
export class ContentChecker {
  readonly #checks = new Map<DefinitionKind, TypeCheck<TSchema>>();

  /** `document` is what the parser makes of the text. */
  check(kind: DefinitionKind, text: string, document = parseYaml(text, scalarsOf(kind))): ParsedContent {
    const entries = new Map<string, unknown>();
    const lines = new Map<string, number>();
    const problems: ContentProblem[] = [];
    const index = new LineIndex(text);
    const report = (level: ContentProblem['level'], offset: number, rule: string, message: string): void => {
      if (problems.length < yamlLimits.maxProblems)
        problems.push({ level, ...index.at(offset), rule, message });
    };
    for (const { offset, rule, message } of document.problems) report('error', offset, rule, message);

    const top = document.value ?? {};
    for (const key of Object.keys(top)) {
      if (problems.length >= yamlLimits.maxProblems) break;
      const offset = document.keyOffset(key) ?? 0;
      const id = checkId(kind, key, (level, rule, message) => report(level, offset, rule, message));
      if (id === undefined) continue;
      if (entries.has(id))
        report('error', offset, 'duplicate-id', `“${id}” is defined twice in this file. Keep one of them.`);
      let entry = top[key];
      if (!this.#checkOf(kind).Check(entry)) {
        const node = document.entryAt(key) ?? { keyOffset: offset, offset, children: noPositions };
        entry = coerceEntry(this.#checkOf(kind), entry, node);
        const found = findSchemaProblems(this.#checkOf(kind), definitionSchemas[kind], entry, node, key);
        for (const problem of found) report('error', problem.offset, problem.rule, problem.message);
        if (found.length > 0) continue;
      }
      entries.set(id, entry);
      lines.set(id, index.at(offset).line);
    }
    if (kind === 'deviceDefaults' && entries.size > 1) {
      const [, second = ''] = document.keys();
      const offset = document.keyOffset(second) ?? 0;
      report(
        'error',
        offset,
        'several-defaults',
        'defaults/device.yml has more than one entry. Join them: one entry holds for all devices.',
      );
    }
    return { content: { kind, text, entries, lines, problems }, places: document };
  }

  #checkOf(kind: DefinitionKind): TypeCheck<TSchema> {
    let check = this.#checks.get(kind);
    if (check === undefined) {
      check = TypeCompiler.Compile<TSchema>(definitionSchemas[kind]);
      this.#checks.set(kind, check);
    }
    return check;
  }
}

/** How the values of a kind are read: enums and sysObjectIDs as they are spelled. */
function scalarsOf(kind: DefinitionKind): ScalarReading {
  return kind.endsWith('Enums') || kind === 'sysObjectIds' ? 'text' : 'typed';
}

const maxIdLength = 1_024;

/** The id that `key` stands for; undefined after a problem was reported. */
function checkId(
  kind: DefinitionKind,
  key: string,
  report: (level: ContentProblem['level'], rule: string, message: string) => void,
): string | undefined {
  if (key in Object.prototype) {
    report('error', 'forbidden-key', `“${key}” cannot be an id. Choose another name.`);
    return undefined;
  }
  if (key === '<<') {
    report('error', 'merge-key', 'Merge keys (<<) are not supported. Write the values out.');
    return undefined;
  }
  if (key === '' || key.length > maxIdLength) {
    report(
      'error',
      'bad-value',
      `An id has 1 to ${maxIdLength} characters; this one has ${key.length}. Rename it.`,
    );
    return undefined;
  }
  if (scalarsOf(kind) === 'typed') return key;

  const [, oidText = '', suffix = ''] = /^([\d.]+)(_.+)?$/.exec(key) ?? [];
  const oid =
    oidText === '' || (kind === 'sysObjectIds' && suffix !== '') ? undefined : normalizeOid(oidText);
  if (oid === undefined) {
    report(
      'error',
      'bad-value',
      `“${key.slice(0, 60)}” is not an OID. Write it in decimal, for example .1.3.6.1.`,
    );
    return undefined;
  }
  if (kind !== 'sysObjectIds' && !key.startsWith('.')) {
    report('warning', 'enum-key-dot', `“${key}” has no leading dot. It is read as .${key}.`);
  }
  return oid + suffix;
}
