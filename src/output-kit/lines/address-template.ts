import { createHash } from 'node:crypto';
import { kernelFailure } from '../../kernel/errors.ts';
import type { Batch } from '../../model/batch.ts';

/** Returns the address (topic, subject) for the message of a row or of a whole batch. */
export type AddressTemplate = (batch: Batch, rowKey: string) => string;

/** Where the template comes from, and which characters its values may not contain. */
export interface AddressSyntax {
  /** Name of the option that holds the template, for errors. */
  readonly option: string;
  /** Characters with a meaning in the address, beside control characters, spaces and lone surrogates. */
  readonly reserved: string;
}

/** A longer value is cut and ends in a hash, so that no device can make an address too long. */
const maxValueLength = 128;
const keptLength = 110;
/** The usual case, which needs no escaping: most keys are numbers. */
const plain = /^[A-Za-z0-9_]{1,128}$/;

/** The only placeholder that differs between the rows of a batch. */
const rowPlaceholder = '{key}';

const placeholders: Readonly<Record<string, (batch: Batch) => string>> = {
  device: ({ device }) => device.name,
  ip: ({ device }) => device.ip,
  port: ({ device }) => String(device.port),
  record: ({ record }) => record,
  plan: ({ plan }) => plan,
};

/**
 * Compiles a template such as `waywiser/{device}/{record}/{key}`; `{tag:site}` is a tag of the device. Values come from devices, so their
 * reserved characters are escaped: `%` and two hexadecimal digits for each octet of UTF-8. A value is therefore always one part of the
 * address. An empty value becomes `%`. Throws PLACEHOLDER_UNKNOWN.
 */
export function compileAddress(template: string, { option, reserved }: AddressSyntax): AddressTemplate {
  const unsafe = new RegExp(`[\\p{C}\\p{Z}%$${reserved.replace(/[\\\]^-]/g, '\\$&')}]`, 'gu');
  const parts = template.split(/(\{[^{}]*\})/).map((part): ((batch: Batch) => string | undefined) => {
    if (part === rowPlaceholder) return () => undefined;
    if (!part.startsWith('{')) return () => part;
    const read = findPlaceholder(part.slice(1, -1), option);
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

function findPlaceholder(name: string, option: string): (batch: Batch) => string {
  if (name.startsWith('tag:')) return ({ tags }) => tags[name.slice('tag:'.length)] ?? '';
  if (Object.hasOwn(placeholders, name)) return placeholders[name]!;
  const known = [...Object.keys(placeholders), 'key', 'tag:NAME'].map((each) => `{${each}}`).join(', ');
  throw kernelFailure('PLACEHOLDER_UNKNOWN', { option, placeholder: `{${name}}`, known });
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
