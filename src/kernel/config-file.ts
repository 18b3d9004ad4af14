import { readFileSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { isMap, isNode, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from 'yaml';
import { Type } from '../typebox.ts';
import { explainError, kernelFailure, type WaywiserError } from './errors.ts';
import { logFormats, logLevels } from './logger.ts';
import { checkOptions, pathOption } from './plugin-options.ts';
import { systemReasonOf } from './system-reason.ts';

/** Something wrong in a configuration. */
export interface ConfigProblem {
  /** For people: `waywiser.yml:3:5`, or the path of the key when there is no file. */
  readonly place: string;
  /** Lines and columns count from 1; both are 0 when there is no file. */
  readonly line: number;
  readonly column: number;
  readonly rule: string;
  readonly message: string;
}

/** A configuration and where it comes from. */
export interface ConfigSource {
  /** Names it in errors. */
  readonly label: string;
  /** Relative paths start here. */
  readonly directory: string;
  readonly value: unknown;
  /** What is wrong in it before its keys are checked. */
  readonly problems: readonly ConfigProblem[];
  /** A problem at the key or list item that `path` names, or at the deepest part of it that exists. */
  problemAt(path: readonly string[], rule: string, message: string): ConfigProblem;
}

/** The keys beside `plugins`. */
export const collectorSchema = Type.Object({
  instance: Type.String({
    minLength: 1,
    default: 'waywiser',
    description: 'name of this collector in logs and records',
  }),
  state_directory: pathOption({
    default: './state',
    description: 'directory for data that must survive a restart',
  }),
  secrets_directory: Type.Optional(
    pathOption({ description: 'directory in which ${file:name} references are looked up' }),
  ),
  log_level: Type.Union(
    logLevels.map((level) => Type.Literal(level)),
    { default: 'info', description: 'the least important log lines that are written; silent writes none' },
  ),
  log_format: Type.Union(
    logFormats.map((format) => Type.Literal(format)),
    {
      default: 'auto',
      description:
        'how `waywiser start` writes its log: text for people, JSON lines, or auto: text on a terminal, otherwise JSON',
    },
  ),
  workers: Type.Union([Type.Integer({ minimum: 0, maximum: 64 }), Type.Literal('auto')], {
    default: 0,
    description:
      'how many processes of `waywiser start` share the devices; auto: one for each core of the machine; 0: one process does everything',
  }),
  replace: Type.Record(Type.String(), Type.String(), {
    default: {},
    description:
      'built-in services that another plugin provides: the name of the service, and the key of that plugin under `plugins`',
  }),
  plugins: Type.Record(Type.String(), Type.Unknown(), {
    default: {},
    description: 'the plugins to run, by name, with their options',
  }),
});

const maxFileBytes = 1 << 20;

/** A parsed configuration file: its value, and the position of each part. */
export class ConfigFile implements ConfigSource {
  readonly label: string;
  readonly directory: string;
  readonly value: unknown = undefined;
  readonly problems: readonly ConfigProblem[];
  readonly #root: ParsedNode | null;
  readonly #lines: LineCounter;

  /**
   * Reads the file once; `text` takes the place of what is in it. Throws when it cannot be read; what is wrong inside is in `problems`.
   */
  constructor(path: string, text?: string) {
    const absolute = resolve(path);
    this.label = relative(process.cwd(), absolute);
    this.directory = dirname(absolute);
    this.#lines = new LineCounter();
    const document = parseDocument(text ?? readText(absolute), {
      lineCounter: this.#lines,
      prettyErrors: false,
      uniqueKeys: true,
    });
    this.#root = document.contents;
    const problems = document.errors.map((error) => this.#at(error.pos[0], 'syntax', error.message));
    const isEmpty = this.#root === null || (isScalar(this.#root) && this.#root.value === null);
    if (problems.length === 0 && !isEmpty && !isMap(this.#root)) {
      problems.push(this.#at(0, 'type', 'The file must contain a map with `plugins:` and other keys.'));
    }
    try {
      this.value = problems.length === 0 ? document.toJS({ maxAliasCount: 100 }) : undefined;
    } catch (error) {
      problems.push(this.#at(0, 'alias', explainError(error)));
    }
    this.problems = problems;
  }

  problemAt(path: readonly string[], rule: string, message: string): ConfigProblem {
    let node: unknown = this.#root;
    let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
    for (const key of path) {
      if (isSeq(node)) {
        node = node.items[Number(key)];
        offset = isNode(node) ? (node.range?.[0] ?? offset) : offset;
        continue;
      }
      if (!isMap(node)) break;
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
      if (pair === undefined) break;
      if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    }
    return this.#at(offset, rule, message);
  }

  #at(offset: number, rule: string, message: string): ConfigProblem {
    const { line, col } = this.#lines.linePos(offset);
    return { place: `${this.label}:${line}:${col}`, line, column: col, rule, message };
  }
}

/** One error for all problems of a configuration, each on a line of its own. */
export function configFailure(label: string, problems: readonly ConfigProblem[]): WaywiserError {
  const inOrder = problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
  const lines = inOrder.map(({ place, rule, message }) => `  ${place}  ${rule}  ${message}`);
  return kernelFailure('CONFIG_INVALID', {
    file: label,
    count: problems.length,
    problems: lines.join('\n'),
  });
}

/** The checked keys of the collector. Environment variables such as WAYWISER_LOG_LEVEL override the file. */
export function checkCollectorKeys(
  source: Pick<ConfigSource, 'value' | 'directory'>,
  env: Readonly<Record<string, string | undefined>>,
): ReturnType<typeof checkOptions> {
  const raw: Record<string, unknown> =
    typeof source.value === 'object' && source.value !== null
      ? { ...source.value }
      : { plugins: source.value ?? undefined };
  for (const key of Object.keys(collectorSchema.properties)) {
    const override = env[`WAYWISER_${key.toUpperCase()}`];
    if (key !== 'plugins' && key !== 'replace' && override !== undefined)
      raw[key] = key === 'workers' && /^\d+$/.test(override) ? Number(override) : override;
  }
  return checkOptions(collectorSchema, raw, {
    baseDirectory: source.directory,
    secrets: { env, directory: undefined },
  });
}

function readText(path: string): string {
  try {
    if (statSync(path).size > maxFileBytes) {
      throw kernelFailure('CONFIG_UNREADABLE', { file: path, reason: 'it is larger than 1 MiB' });
    }
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error) || error.code === 'CONFIG_UNREADABLE') throw error;
    throw kernelFailure('CONFIG_UNREADABLE', { file: path, reason: systemReasonOf(error) });
  }
}
