import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';

/** The names of modules, in lower case, that a file name stands for: `rfc2863-IF-MIB.my` is guessed to contain IF-MIB. */
export function guessModuleName(path: string): string {
  return normalizeModuleName(basename(path).replace(/\.(mib|mi2|my|txt|smi|smiv?[12]|asn1?|mib\.txt)$/i, ''));
}

export function normalizeModuleName(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

/**
 * The names before DEFINITIONS in a file, or in its first bytes, found without parsing it: some of them are not modules. A file that
 * cannot be read has none; that is reported when it is loaded.
 */
export function scanModuleNames(path: string, maxBytes: number): string[] {
  let bytes: Buffer;
  try {
    bytes = readStart(path, maxBytes);
  } catch {
    return [];
  }
  const names: string[] = [];
  for (let at = bytes.indexOf(keyword); at !== -1; at = bytes.indexOf(keyword, at + keyword.length)) {
    const before = bytes.toString('latin1', Math.max(0, at - 300), at);
    const name = /([A-Za-z0-9][\w-]*)\s*(?:\{[^{}]*\}\s*)?(?:--[^\r\n]*\s*)?$/.exec(before)?.[1];
    if (name !== undefined) names.push(name);
  }
  return names;
}

const keyword = 'DEFINITIONS';

function readStart(path: string, maxBytes: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(Math.min(maxBytes, fstatSync(file).size));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}
