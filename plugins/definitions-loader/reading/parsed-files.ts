import { hash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  type DefinitionKind,
  findPlaces,
  packageRoot,
  shippedDefinitions,
  type YamlDocument,
} from '../../../src/internal.ts';

/** By kind and content: the map at the top of a file, and the offset of each of its keys. */
export type ParsedByKey = Record<
  string,
  readonly [value: Record<string, unknown>, offsets: readonly number[]]
>;

/**
 * The definitions that ship as the YAML parser reads them. The build writes them down, because parsing two megabytes of YAML takes
 * most of a start. A file is found by its content: one that somebody changed is parsed like any other, and so are all where the build
 * wrote nothing.
 */
export class ParsedFiles {
  readonly #shipped = shippedFolder();
  #files: ParsedByKey | undefined;

  /** The file at `path` with this key and text; undefined when the build did not write it down. */
  find(path: string, key: string, text: string): YamlDocument | undefined {
    if (this.#shipped === undefined || !path.startsWith(this.#shipped)) return undefined;
    this.#files ??= readParsedFiles();
    const parsed = this.#files[key];
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
}

/** Equal for the same bytes in files of the same kind. */
export function contentKey(kind: DefinitionKind, bytes: Buffer): string {
  return `${kind} ${hash('sha1', bytes, 'base64')}`;
}

/** None where there is no build. */
export function readParsedFiles(): ParsedByKey {
  try {
    return JSON.parse(gunzipSync(readFileSync(parsedFilesPath())).toString());
  } catch {
    return {};
  }
}

export function parsedFilesPath(): string {
  return join(packageRoot(), 'dist', 'definitions.json.gz');
}

function shippedFolder(): string | undefined {
  const folder = shippedDefinitions();
  return existsSync(folder) ? realpathSync(folder) + sep : undefined;
}
