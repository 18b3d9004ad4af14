import type { Oid } from '../../model/oid.ts';

/** Every type a varbind can have, and what its value is in JavaScript. */
export interface ValueByType {
  Integer32: number;
  OctetString: Buffer;
  Null: null;
  ObjectIdentifier: Oid;
  /** Octets in decimal, separated by dots; four of them unless the agent is faulty. */
  IpAddress: string;
  Counter32: number;
  /** Also Unsigned32, which shares its tag. */
  Gauge32: number;
  /** Hundredths of a second. */
  TimeTicks: number;
  Opaque: Buffer;
  OpaqueFloat: number;
  OpaqueDouble: number;
  OpaqueCounter64: bigint;
  OpaqueInt64: bigint;
  OpaqueUInt64: bigint;
  NsapAddress: Buffer;
  Counter64: bigint;
  UInteger32: number;
  noSuchObject: null;
  noSuchInstance: null;
  endOfMibView: null;
  /** Never on the wire: the agent failed on this one varbind (error-status genErr with its index). */
  genErr: null;
  /** Never on the wire: the agent cannot fit even this one varbind into a reply. */
  tooBig: null;
}

export type SnmpType = keyof ValueByType;

/** A value with its SNMP type. Buffers are views of the datagram: copy what you keep for long. */
export type SnmpValue = {
  [Type in SnmpType]: { readonly type: Type; readonly value: ValueByType[Type] };
}[SnmpType];

/** One object instance and its value. */
export type Varbind = {
  [Type in SnmpType]: { readonly oid: Oid; readonly type: Type; readonly value: ValueByType[Type] };
}[SnmpType];

export const exceptionTypes = ['noSuchObject', 'noSuchInstance', 'endOfMibView', 'genErr', 'tooBig'] as const;
export type ExceptionType = (typeof exceptionTypes)[number];

/** Whether a varbind of this type has no value; its type is the reason. */
export function isException(type: SnmpType): type is ExceptionType {
  return (exceptionTypes as readonly string[]).includes(type);
}
