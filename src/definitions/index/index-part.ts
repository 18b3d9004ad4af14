import type { Oid } from '../../model/oid.ts';

export const indexTypes = [
  'Integer',
  'Integer32',
  'Unsigned32',
  'IpAddress',
  'MacAddress',
  'OctetString',
  'ObjectIdentifier',
  'ImplicitOctetString',
  'ImplicitObjectIdentifier',
  'Opaque',
] as const;

/** How the arcs of a part are read. */
export type IndexType = (typeof indexTypes)[number];

/** One part of an INDEX clause. Plain data. */
export interface IndexPart {
  readonly type: IndexType;
  /** The field of its label, suffix included; undefined for a part that is consumed and not emitted. */
  readonly field: string | undefined;
  /** The name of a syntax. */
  readonly syntax: string;
  /** The index column, by which its enum is found. */
  readonly column: Oid | undefined;
  /** The name of the index column in the MIB. */
  readonly mibName?: string | undefined;
}

/** One number, or the arcs of an address, of a text, of an OID. */
export type IndexValue = number | readonly number[];
