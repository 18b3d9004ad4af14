import { createHash } from 'node:crypto';
import type { Column } from '../../../../src/index.ts';

/** The content of a column: a field of a record with its kind, or a label of the rows. */
export interface FieldColumn {
  readonly kind: Column['kind'] | 'label';
  readonly field: string;
}

/** `bigint` is signed and cannot hold all 64 bits of a counter. */
export const columnTypes = {
  number: 'double precision',
  counter: 'numeric(20)',
  boolean: 'boolean',
  text: 'text',
  list: 'jsonb',
  label: 'text',
} as const satisfies Readonly<Record<FieldColumn['kind'], string>>;

/** The comment by which a column is recognised, even if it was renamed. */
export function commentOf({ kind, field }: FieldColumn): string {
  return `${kind} ${field}`;
}

/** PostgreSQL cuts names after 63 octets. This leaves room for a suffix. */
const maxNameLength = 46;

/** `netif.bytes.in` → `netif_bytes_in`, `IF-MIB::ifEntry` → `if_mib_if_entry`. */
function readableName(text: string): string {
  const name = text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, maxNameLength)
    .replace(/^_+|_+$/g, '');
  return /^[a-z]/.test(name) ? name : `_${name}`;
}

/** The readable name, or the first variant of it that is not taken. */
export function chooseName(text: string, variant: string, isTaken: (name: string) => boolean): string {
  const name = readableName(text);
  const hash = createHash('sha256').update(`${variant} ${text}`).digest('hex').slice(0, 8);
  const candidates = [name, `${name}_${variant}`, `${name}_${hash}`];
  return candidates.find((candidate) => !isTaken(candidate)) ?? `${name}_${variant}_${hash}`;
}
