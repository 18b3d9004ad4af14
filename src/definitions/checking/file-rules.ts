import type { Problem } from '../../model/definition-changes.ts';

/** What is checked of definition files, of devices and of secrets. Names are public, like error codes. */
export const definitionFileRules = {
  syntax: { level: 'error', sentence: 'The text is not YAML.' },
  'not-a-map': { level: 'error', sentence: 'The file does not hold a map from ids to definitions.' },
  'several-documents': { level: 'error', sentence: 'The file holds several YAML documents.' },
  'custom-tag': { level: 'error', sentence: 'A tag other than those of YAML itself.' },
  'merge-key': { level: 'error', sentence: 'A merge key (<<), which YAML 1.2 does not have.' },
  'forbidden-key': {
    level: 'error',
    sentence: 'A name that every object is born with, such as `__proto__`.',
  },
  'too-many-aliases': { level: 'error', sentence: 'More than 100 aliases, or aliases that repeat too much.' },
  'too-deep': {
    level: 'error',
    sentence: 'More than 64 levels in a file, or more than 16 folders in each other.',
  },
  'too-large': { level: 'error', sentence: 'A file of more than 1 MiB or more than 32,768 lines.' },
  'too-large-together': { level: 'error', sentence: 'Files of more than 64 MiB together. Nothing is read.' },
  'too-many-files': { level: 'error', sentence: 'More than 10,000 files.' },
  'missing-directory': { level: 'error', sentence: 'A configured directory does not exist.' },
  unreadable: { level: 'error', sentence: 'A file or folder that cannot be opened.' },
  'not-a-file': { level: 'error', sentence: 'A pipe or a device in the place of a file.' },
  'outside-directory': { level: 'error', sentence: 'A link that leads out of its directory.' },
  'invalid-utf8': { level: 'error', sentence: 'The file is not UTF-8.' },
  'file-changing': { level: 'error', sentence: 'A file that did not rest long enough to be read whole.' },
  'stray-file': { level: 'warning', sentence: 'A file in a place that no kind is read from. It is ignored.' },
  'unknown-key': { level: 'error', sentence: 'A key that does not exist there.' },
  'missing-key': { level: 'error', sentence: 'A key that must be there.' },
  'wrong-type': { level: 'error', sentence: 'A value of another type than its key takes.' },
  'bad-value': { level: 'error', sentence: 'A value of the right type that its key does not take.' },
  'duplicate-key': { level: 'error', sentence: 'A key twice in one map.' },
  'duplicate-id': {
    level: 'warning',
    sentence:
      'An id twice. In one file, and for devices, this is an error; in two files of one directory the later file holds.',
  },
  'several-defaults': { level: 'error', sentence: 'defaults/device.yml has more than one entry.' },
  'enum-key-dot': {
    level: 'warning',
    sentence: 'The OID of an enum without a dot in front. It is read with one.',
  },
  'bad-address': { level: 'error', sentence: 'The ip of a device is no address and no host name.' },
  'duplicate-device': { level: 'error', sentence: 'Two devices have one address and port.' },
  'no-credentials': {
    level: 'error',
    sentence: 'A device or network has no usable credentials for its version.',
  },
  'plain-text-secret': { level: 'warning', sentence: 'A secret stands in the file. It is used.' },
  'bad-secret-reference': {
    level: 'error',
    sentence: 'A secret reference of another form than ${env:NAME} or ${file:name}.',
  },
  'unresolved-secret': { level: 'error', sentence: 'A secret reference that leads nowhere.' },
} as const satisfies Record<string, { readonly level: Problem['level']; readonly sentence: string }>;
