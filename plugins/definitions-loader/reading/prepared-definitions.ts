import { hash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { deserialize } from 'node:v8';
import { brotliDecompressSync } from 'node:zlib';
import type { CheckedContent, CompiledBefore, DefinitionKind } from '../../../src/definitions/index.ts';
import { packageRoot, shippedDefinitions } from '../../../src/own-package.ts';

/** What the build writes down: the contents that have no problem, by kind and bytes. definitions.json.br beside the code. */
export type PreparedFiles = Readonly<Record<string, readonly PreparedEntry[]>>;

/** What they compile to. definitions.v8.br; absent where one of them has a problem. */
export type PreparedObjects = Omit<CompiledBefore, 'raw'>;

type PreparedEntry = readonly [id: string, line: number, entry: unknown];

/**
 * The definitions that ship as the build has read, checked and compiled them, because that takes most of a start. A file is found
 * by its bytes, and what it compiles to by the value that it is read as: what somebody changed, and what depends on that, is read,
 * checked and compiled like any other. Where the sources run, nothing is taken from a build, which may be of older sources.
 */
export class PreparedDefinitions {
  readonly #shipped = isBuilt ? shippedFolder() : undefined;
  #files: PreparedFiles | undefined;
  /** Kept, so that an object that is unchanged stays the same value. */
  #compiled: CompiledBefore | undefined;

  /** The content of the file at `path` with this key and text; undefined where the build did not write it down. */
  contentOf(path: string, kind: DefinitionKind, key: string, text: string): CheckedContent | undefined {
    if (this.#shipped === undefined || !path.startsWith(this.#shipped)) return undefined;
    const prepared = this.#read()[key];
    if (prepared === undefined) return undefined;
    const entries = new Map(prepared.map(([id, , entry]) => [id, entry]));
    const lines = new Map(prepared.map(([id, line]) => [id, line]));
    return { kind, text, entries, lines, problems: [] };
  }

  /** What the contents compile to; undefined where no file that ships was read. */
  compiled(): CompiledBefore | undefined {
    if (this.#files === undefined || this.#compiled !== undefined) return this.#compiled;
    const prepared = readPreparedObjects();
    this.#compiled = prepared && { ...prepared, raw: joinEntries(this.#files) };
    return this.#compiled;
  }

  #read(): PreparedFiles {
    this.#files ??= readPreparedFiles();
    return this.#files;
  }
}

/** Equal for the same bytes in files of the same kind. */
export function contentKey(kind: DefinitionKind, bytes: Buffer): string {
  return `${kind} ${hash('sha1', bytes, 'base64')}`;
}

export function preparedPaths(): { readonly contents: string; readonly objects: string } {
  const folder = join(packageRoot(), 'dist');
  return { contents: join(folder, 'definitions.json.br'), objects: join(folder, 'definitions.v8.br') };
}

const isBuilt = import.meta.url.endsWith('.js');

/** Empty where there is no build. */
function readPreparedFiles(): PreparedFiles {
  try {
    return JSON.parse(brotliDecompressSync(readFileSync(preparedPaths().contents)).toString());
  } catch {
    return {};
  }
}

/** Undefined where another version of Node.js wrote them in a way that this one does not know. */
function readPreparedObjects(): PreparedObjects | undefined {
  try {
    return deserialize(brotliDecompressSync(readFileSync(preparedPaths().objects)));
  } catch {
    return undefined;
  }
}

/** The contents as one set. No two have the same id. */
function joinEntries(files: PreparedFiles): CompiledBefore['raw'] {
  const entriesOf = <Entry>(kind: DefinitionKind): ReadonlyMap<string, Entry> =>
    new Map(
      Object.entries(files)
        .filter(([key]) => key.startsWith(`${kind} `))
        .flatMap(([, entries]) => entries.map(([id, , entry]) => [id, entry as Entry] as const)),
    );
  return {
    objects: entriesOf('objects'),
    notifications: entriesOf('notifications'),
    integerEnums: entriesOf('integerEnums'),
    bitmapEnums: entriesOf('bitmapEnums'),
    oidEnums: entriesOf('oidEnums'),
  };
}

function shippedFolder(): string | undefined {
  const folder = shippedDefinitions();
  return existsSync(folder) ? realpathSync(folder) + sep : undefined;
}
