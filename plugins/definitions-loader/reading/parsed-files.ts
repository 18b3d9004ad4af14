import { hash } from 'node:crypto';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  type DefinitionKind,
  findPlaces,
  packageRoot,
  parseYaml,
  scalarsOf,
  shippedDefinitions,
  type YamlDocument,
} from '../../../src/internal.ts';

/** By kind and content: the map at the top of a file, and the offset of each of its keys. */
type ParsedByKey = Record<string, readonly [value: Record<string, unknown>, offsets: readonly number[]]>;

/**
 * A file that ships as the YAML parser reads it, from what the build wrote down: parsing two megabytes of YAML takes most of a
 * start. A file is found by its content. Undefined for one that somebody changed, and for all where the build wrote nothing.
 */
export function findParsed(key: string, text: string): YamlDocument | undefined {
  parsedFiles ??= readParsedFiles();
  const parsed = parsedFiles[key];
  if (parsed === undefined) return undefined;
  const [value, offsets] = parsed;
  const keys = Object.keys(value);
  const offsetByKey = new Map(keys.map((id, position) => [id, offsets[position]]));
  return {
    value,
    problems: [],
    keys: () => keys,
    keyOffset: (id) => offsetByKey.get(id),
    entryAt: (id) => findPlaces(text).entryAt(id),
  };
}

let parsedFiles: ParsedByKey | undefined;

/** Equal for the same bytes in files of the same kind. */
export function contentKey(kind: DefinitionKind, bytes: Buffer): string {
  return `${kind} ${hash('sha1', bytes, 'base64')}`;
}

/** Whether a file is in the package. */
export function isShippedPath(path: string): boolean {
  shippedFolder ??= realpathSync(shippedDefinitions()) + sep;
  return path.startsWith(shippedFolder);
}

let shippedFolder: string | undefined;

/** Writes down what the parser reads of these files, unless that is written already. */
export function writeParsedFiles(
  files: readonly { readonly kind: DefinitionKind; readonly text: string }[],
): void {
  const known = readParsedFiles();
  const parsed: ParsedByKey = {};
  for (const { kind, text } of files) {
    const key = contentKey(kind, Buffer.from(text));
    const file = known[key] ?? parseFile(kind, text);
    if (file !== undefined) parsed[key] = file;
  }
  if (Object.keys(parsed).some((key) => known[key] === undefined)) {
    writeFileSync(parsedFilesPath(), gzipSync(JSON.stringify(parsed)));
  }
}

/** Undefined for a file with problems: these are found again where it is read. */
function parseFile(kind: DefinitionKind, text: string): ParsedByKey[string] | undefined {
  const { value, problems, keyOffset } = parseYaml(text, scalarsOf(kind));
  if (value === undefined || problems.length > 0) return undefined;
  return [value, Object.keys(value).map((id) => keyOffset(id) ?? 0)];
}

function readParsedFiles(): ParsedByKey {
  try {
    return JSON.parse(gunzipSync(readFileSync(parsedFilesPath())).toString());
  } catch {
    return {};
  }
}

function parsedFilesPath(): string {
  return join(packageRoot(), 'dist', 'definitions.json.gz');
}
