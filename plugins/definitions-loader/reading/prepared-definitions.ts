import { hash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { deserialize } from 'node:v8';
import { brotliDecompressSync } from 'node:zlib';
import {
  type CheckedContent,
  type CompiledObjects,
  type DefinitionKind,
  packageRoot,
  shippedDefinitions,
} from '../../../src/internal.ts';

/** What the build writes down: definitions.json.br beside the code. */
export interface PreparedFiles {
  /** The contents that have no problem, by kind and bytes. */
  readonly contents: Readonly<Record<string, readonly PreparedEntry[]>>;
  /** What the objects in definitions.v8.br are compiled from. */
  readonly compiledFrom: string | undefined;
}

type PreparedEntry = readonly [id: string, line: number, entry: unknown];

/**
 * The definitions that ship as the build has read, checked and compiled them, because that takes most of a start. A file is found
 * by its bytes, and the compiled objects by the bytes of all files that they depend on: what somebody changed is read, checked and
 * compiled like any other. Where the sources run, nothing is taken from a build, which may be of older sources.
 */
export class PreparedDefinitions {
  readonly #shipped = isBuilt ? shippedFolder() : undefined;
  #files: PreparedFiles | undefined;
  /** Kept while they are in use, so that an object that is unchanged stays the same value. */
  #objects: { readonly compiledFrom: string; readonly objects: CompiledObjects | undefined } | undefined;

  /** The content of the file at `path` with this key and text; undefined where the build did not write it down. */
  contentOf(path: string, kind: DefinitionKind, key: string, text: string): CheckedContent | undefined {
    if (this.#shipped === undefined || !path.startsWith(this.#shipped)) return undefined;
    const prepared = this.#read().contents[key];
    if (prepared === undefined) return undefined;
    const entries = new Map(prepared.map(([id, , entry]) => [id, entry]));
    const lines = new Map(prepared.map(([id, line]) => [id, line]));
    return { kind, text, entries, lines, problems: [] };
  }

  /** What the files with these bytes compile to; undefined where the build compiled others. */
  objectsFrom(compiledFrom: string): CompiledObjects | undefined {
    if (this.#objects?.compiledFrom === compiledFrom) return this.#objects.objects;
    // Without a file that ships, there is nothing to look for.
    const isPrepared = this.#files?.compiledFrom === compiledFrom;
    const objects = isPrepared ? readPreparedObjects() : undefined;
    this.#objects = { compiledFrom, objects };
    return objects;
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
    return { contents: {}, compiledFrom: undefined };
  }
}

/** Undefined where another version of Node.js wrote them in a way that this one does not know. */
function readPreparedObjects(): CompiledObjects | undefined {
  try {
    return deserialize(brotliDecompressSync(readFileSync(preparedPaths().objects)));
  } catch {
    return undefined;
  }
}

function shippedFolder(): string | undefined {
  const folder = shippedDefinitions();
  return existsSync(folder) ? realpathSync(folder) + sep : undefined;
}
