import type { Oid } from '../../model/oid.ts';

/** Every type a varbind can have, and what its value is in JavaScript. */
export interface ValueByType {
  Integer32: number;
  OctetString: Buffer;
  Null: null;
  ObjectIdentifier: Oid;
  /** Octets in decimal with dots between them; four of them unless the agent errs. */
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
}

export type SnmpType = keyof ValueByType;

/** A value, told apart by its SNMP type. Buffers are views of the datagram: copy what is kept for long. */
export type SnmpValue = {
  [Type in SnmpType]: { readonly type: Type; readonly value: ValueByType[Type] };
}[SnmpType];

/** One object instance and its value. */
export type Varbind = {
  [Type in SnmpType]: { readonly oid: Oid; readonly type: Type; readonly value: ValueByType[Type] };
}[SnmpType];

export type ExceptionType = 'noSuchObject' | 'noSuchInstance' | 'endOfMibView';

/** Whether a varbind of this type says why there is no value. */
export function isException(type: SnmpType): type is ExceptionType {
  return type === 'noSuchInstance' || type === 'noSuchObject' || type === 'endOfMibView';
}
