import { isAscii, isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SourceText } from './source-text.ts';

/** Larger files are errors: the largest MIB file in use has 10 MB. */
export const maxFileBytes = 64 * 2 ** 20;

/** A path that could not be read, with the reason. */
export interface UnreadablePath {
  readonly path: string;
  readonly reason: string;
}

/** The files at and below the paths, sorted, each once however many links lead to it. */
export function listMibFiles(paths: readonly string[]): {
  readonly files: readonly string[];
  readonly unreadable: readonly UnreadablePath[];
} {
  const files: string[] = [];
  const unreadable: UnreadablePath[] = [];
  const seen = new Set<string>();
  const pending = [...paths].reverse();
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    try {
      const stats = statSync(path);
      // Neither devices nor pipes, whose reading might not end.
      if (!stats.isFile() && !stats.isDirectory()) continue;
      const real = realpathSync(path);
      if (seen.has(real)) continue;
      seen.add(real);
      if (stats.isFile()) files.push(path);
      else for (const name of readdirSync(path).sort().reverse()) pending.push(join(path, name));
    } catch (error) {
      unreadable.push({ path, reason: reasonOf(error) });
    }
  }
  return { files, unreadable };
}

/** UTF-8 where the file is that, Latin-1 otherwise. Reports a file that cannot be read, and returns no text for it. */
export function readMibFile(path: string): SourceText {
  try {
    const { size } = statSync(path);
    if (size <= maxFileBytes) return new SourceText(path, decode(readFileSync(path)));
    const source = new SourceText(path, '');
    const limit = `The file has ${size} bytes, and at most ${maxFileBytes} are read.`;
    source.report('error', 'file-too-large', limit, 0);
    return source;
  } catch (error) {
    const source = new SourceText(path, '');
    source.report('error', 'file-unreadable', `The file cannot be read: ${reasonOf(error)}.`, 0);
    return source;
  }
}

function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.subarray(2).toString('utf16le');
  if (isAscii(bytes) || !isUtf8(bytes)) return bytes.toString('latin1');
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

/** The names of modules, in lower case, that a file name stands for: `rfc2863-IF-MIB.my` is guessed to contain IF-MIB. */
export function guessModuleName(path: string): string {
  return normalizeModuleName(basename(path).replace(/\.(mib|mi2|my|txt|smi|smiv?[12]|asn1?|mib\.txt)$/i, ''));
}

export function normalizeModuleName(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

/** The names before DEFINITIONS in a file, found without reading the rest: some of them are not modules. */
export function scanModuleNames(bytes: Buffer): string[] {
  const names: string[] = [];
  for (let at = bytes.indexOf(keyword); at !== -1; at = bytes.indexOf(keyword, at + keyword.length)) {
    const before = bytes.toString('latin1', Math.max(0, at - 300), at);
    const name = /([A-Za-z0-9][\w-]*)\s*(?:\{[^{}]*\}\s*)?(?:--[^\r\n]*\s*)?$/.exec(before)?.[1];
    if (name !== undefined) names.push(name);
  }
  return names;
}

const keyword = 'DEFINITIONS';

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
