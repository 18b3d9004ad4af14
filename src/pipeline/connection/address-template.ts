import { createHash } from 'node:crypto';
import { kernelFailure } from '../../kernel/errors.ts';
import type { Batch } from '../../model/batch.ts';

/** The address of a row's message, or of a whole batch's: a subject, a topic. */
export type AddressTemplate = (batch: Batch, rowKey: string) => string;

/** What a value may not hold beside controls, spaces and lone surrogates, as a list of characters. */
export interface AddressSyntax {
  /** The option that holds the template, for errors. */
  readonly option: string;
  /** Characters that mean something where the address is used. */
  readonly reserved: string;
}

/** Longer values end in a hash, so that no device makes an address that is too long. */
const maxValueLength = 128;
const keptLength = 110;
/** What is never reserved: most keys are numbers. */
const plain = /^[A-Za-z0-9_]{1,128}$/;

/** All others are the same for the rows of a batch, and read once for it. */
const rowWord = '{key}';

const words: Readonly<Record<string, (batch: Batch) => string>> = {
  device: ({ device }) => device.name,
  ip: ({ device }) => device.ip,
  port: ({ device }) => String(device.port),
  record: ({ record }) => record,
  plan: ({ plan }) => plan,
};

/**
 * Compiles `waywiser/{device}/{record}/{key}`; `{tag:site}` is a tag of the device. What stands for a word comes from outside: its
 * reserved characters are written as `%` and two hexadecimal digits for each octet of UTF-8, so that it is always one part of
 * the address; an empty value is `%`. Throws PLACEHOLDER_UNKNOWN.
 */
export function compileAddress(template: string, { option, reserved }: AddressSyntax): AddressTemplate {
  const unsafe = new RegExp(`[\\p{C}\\p{Z}%$${reserved.replace(/[\\\]^-]/g, '\\$&')}]`, 'gu');
  const parts = template.split(/(\{[^{}]*\})/).map((part): ((batch: Batch) => string | undefined) => {
    if (part === rowWord) return () => undefined;
    if (!part.startsWith('{')) return () => part;
    const read = findWord(part.slice(1, -1), option);
    return (batch) => escapeValue(read(batch), unsafe);
  });
  let last: Batch | undefined;
  let texts: readonly (string | undefined)[] = [];
  return (batch, rowKey) => {
    if (batch !== last) {
      last = batch;
      texts = parts.map((read) => read(batch));
    }
    let address = '';
    for (const text of texts) address += text ?? escapeValue(rowKey, unsafe);
    return address;
  };
}

function findWord(word: string, option: string): (batch: Batch) => string {
  if (word.startsWith('tag:')) return ({ tags }) => tags[word.slice('tag:'.length)] ?? '';
  if (Object.hasOwn(words, word)) return words[word]!;
  const known = [...Object.keys(words), 'key', 'tag:NAME'].map((each) => `{${each}}`).join(', ');
  throw kernelFailure('PLACEHOLDER_UNKNOWN', { option, placeholder: `{${word}}`, known });
}

function escapeValue(value: string, unsafe: RegExp): string {
  if (value === '') return '%';
  if (plain.test(value)) return value;
  if (value.length <= maxValueLength) return value.replace(unsafe, escapeCharacter);
  const hash = createHash('sha256').update(value).digest('hex').slice(0, 16);
  return `${value.slice(0, keptLength).replace(unsafe, escapeCharacter)}~${hash}`;
}

function escapeCharacter(character: string): string {
  return Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '%$&');
}
