import { basename } from 'node:path';

/** The names of modules, in lower case, that a file name stands for: `rfc2863-IF-MIB.my` is guessed to contain IF-MIB. */
export function guessModuleName(path: string): string {
  return normalizeModuleName(
    basename(path).replace(/\.(?:mib|mi2|my|txt|smi|smiv?[12]|asn1?|mib\.txt)$/i, ''),
  );
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
    const name = nameBefore(bytes.toString('latin1', Math.max(0, at - 300), at));
    if (name !== '') names.push(name);
  }
  return names;
}

/** From the end, so that the time is linear: behind the name may be an OID in braces, and a comment at the end of its line. */
function nameBefore(text: string): string {
  let before = text.trimEnd();
  const lineStart = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
  const comment = before.indexOf('--', lineStart);
  if (comment !== -1 && before.length < text.length) before = before.slice(0, comment).trimEnd();
  if (before.endsWith('}')) before = before.slice(0, Math.max(before.lastIndexOf('{'), 0)).trimEnd();
  let start = before.length;
  while (start > 0 && isNamePart(before.charCodeAt(start - 1))) start--;
  return before.slice(start).replace(/^[-_]+/, '');
}

const keyword = 'DEFINITIONS';

/** Whether the bytes of a file may define a name, found without parsing it: what follows the name starts a definition. */
export function seemsToDefine(bytes: Buffer, name: string): boolean {
  for (let at = bytes.indexOf(name); at !== -1; at = bytes.indexOf(name, at + name.length)) {
    const end = at + name.length;
    if (at > 0 && isNamePart(bytes[at - 1]!)) continue;
    if (definitionAfterName.test(bytes.toString('latin1', end, end + maxGap))) return true;
  }
  return false;
}

/**
 * A comment may hide what follows, and a name in the middle of an OID has a number in parentheses: a type has a range or a size there.
 */
const definitionAfterName =
  /^\s*(?:::=|\(\s*\d+\s*\)|--|OBJECT|MODULE-|NOTIFICATION-|TRAP-TYPE|AGENT-CAPABILITIES|MACRO|$)/;

/** White space that is looked at; behind more of it everything counts as a definition. */
const maxGap = 200;

/** A letter, a digit, `_` or `-`. */
function isNamePart(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2d
  );
}
