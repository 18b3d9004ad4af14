import { basename } from 'node:path';

/** The names of modules, in lower case, that a file name stands for: `rfc2863-IF-MIB.my` is guessed to contain IF-MIB. */
export function guessModuleName(path: string): string {
  return normalizeModuleName(basename(path).replace(/\.(mib|mi2|my|txt|smi|smiv?[12]|asn1?|mib\.txt)$/i, ''));
}

export function normalizeModuleName(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

/** Without the end that file names often leave out: `powernet.mib` contains PowerNet-MIB. */
export function shortenModuleName(name: string): string {
  return normalizeModuleName(name).replace(/-(mib|smi|tc)$/, '');
}

/** The names before DEFINITIONS in the bytes of a file, found without parsing it: some of them are not modules. */
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
