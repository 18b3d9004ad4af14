import type { Problem } from '../../model/definition-changes.ts';

/** The rules for definition files, devices and secrets. Names are public, like error codes. */
export const definitionFileRules = {
  syntax: { level: 'error', sentence: 'The text is not valid YAML.' },
  'not-a-map': { level: 'error', sentence: 'The file does not hold a map from ids to definitions.' },
  'several-documents': { level: 'error', sentence: 'The file holds several YAML documents.' },
  'custom-tag': { level: 'error', sentence: 'A tag that is not one of YAML’s own.' },
  'merge-key': { level: 'error', sentence: 'A merge key (<<), which YAML 1.2 does not have.' },
  'forbidden-key': {
    level: 'error',
    sentence: 'A name that every JavaScript object already has, such as `__proto__`.',
  },
  'too-many-aliases': {
    level: 'error',
    sentence: 'More than 100 aliases, or aliases that repeat too many values.',
  },
  'too-deep': {
    level: 'error',
    sentence: 'More than 64 levels of nesting in a file, or more than 16 nested folders.',
  },
  'too-large': { level: 'error', sentence: 'A file of more than 1 MiB or more than 32,768 lines.' },
  'too-large-together': { level: 'error', sentence: 'Files of more than 64 MiB in total. Nothing is read.' },
  'too-many-files': { level: 'error', sentence: 'More than 10,000 files.' },
  'missing-directory': { level: 'error', sentence: 'A configured directory does not exist.' },
  unreadable: { level: 'error', sentence: 'A file or folder that cannot be opened.' },
  'not-a-file': { level: 'error', sentence: 'A pipe or a device instead of a file.' },
  'outside-directory': { level: 'error', sentence: 'A link that leads out of its directory.' },
  'invalid-utf8': { level: 'error', sentence: 'The file is not UTF-8.' },
  'file-changing': { level: 'error', sentence: 'A file that changed each time it was read.' },
  'stray-file': { level: 'warning', sentence: 'A file in a folder that is not read. It is ignored.' },
  'unknown-key': { level: 'error', sentence: 'A key that is not known there.' },
  'missing-key': { level: 'error', sentence: 'A required key is missing.' },
  'wrong-type': { level: 'error', sentence: 'A value of the wrong type for its key.' },
  'bad-value': { level: 'error', sentence: 'A value that its key does not accept.' },
  'duplicate-key': { level: 'error', sentence: 'A key is defined twice in one map.' },
  'duplicate-id': {
    level: 'warning',
    sentence:
      'An id is defined twice. In one file, and for devices, this is an error; in two files of one directory the later file is used.',
  },
  'several-defaults': { level: 'error', sentence: 'defaults/device.yml has more than one entry.' },
  'enum-key-dot': {
    level: 'warning',
    sentence: 'The OID of an enum has no leading dot. It is read with one.',
  },
  'bad-address': { level: 'error', sentence: 'The `ip` of a device is neither an address nor a host name.' },
  'duplicate-device': { level: 'error', sentence: 'Two devices have the same address and port.' },
  'no-credentials': {
    level: 'error',
    sentence: 'A device or network has no usable credentials for its version.',
  },
  'plain-text-secret': { level: 'warning', sentence: 'A secret is plain text in the file. It is used.' },
  'short-passphrase': {
    level: 'error',
    sentence: 'An SNMPv3 passphrase has fewer than 8 characters. Agents refuse such a passphrase.',
  },
  'bad-secret-reference': {
    level: 'error',
    sentence: 'A secret reference that is neither ${env:NAME} nor ${file:name}.',
  },
  'unresolved-secret': { level: 'error', sentence: 'A secret reference that cannot be resolved.' },
} as const satisfies Record<string, { readonly level: Problem['level']; readonly sentence: string }>;
