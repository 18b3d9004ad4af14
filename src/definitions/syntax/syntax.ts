/** What a column of this syntax holds in a record; `none` is polled or consumed, and never emitted. */
export type SyntaxKind = 'number' | 'counter' | 'text' | 'boolean' | 'list' | 'none';

/** How raw values become values. */
export type Reading =
  | 'number'
  | 'counter'
  | 'float'
  | 'fahrenheit'
  | 'unsigned'
  | 'numberInText'
  | 'percentInText'
  | 'numberAfterColon'
  | 'milliwatts'
  | 'opaque'
  | 'octets'
  | 'hex'
  | 'identifier'
  | 'unsignedIdentifier'
  | 'oid'
  | 'address'
  | 'addressNumber'
  | 'routePrefix'
  | 'mac'
  | 'truth'
  | 'names'
  | 'bits'
  | 'oidNames'
  | 'dateAndTime'
  | 'dateInText'
  | 'epochInText'
  | 'none';

/** Families whose scale the decoder's options choose: durations in ms and percents of 100 by default. */
export type Dimension = 'duration' | 'timestamp' | 'percent';

/** A value is multiplied by `times` and divided by `over`. One of the two is 1, so that 235 tenths are exactly 23.5. */
export interface Scale {
  readonly times: number;
  readonly over: number;
}

/** How a value is decoded, scaled and named. Plain data. */
export interface Syntax {
  readonly name: string;
  readonly family: string;
  /** The SNMP types that it accepts, in words. */
  readonly input: string;
  readonly kind: SyntaxKind;
  readonly reading: Reading;
  readonly scale: Scale;
  /** What is added to the attribute's field name, with its dot. */
  readonly suffix: string;
  readonly unit?: string;
  readonly dimension?: Dimension;
  /** The source of names: the enum of the attribute's column, the OID names, or a built-in list. */
  readonly names?: 'integerEnum' | 'bitmapEnum' | 'oidEnum' | BuiltInNames;
  /** A second field beside the first, from the same value. */
  readonly companion?: { readonly suffix: string; readonly syntax: string };
  /** One sentence. */
  readonly description: string;
  /** A raw value and what it becomes, as the documentation shows them. */
  readonly example: readonly [raw: string, value: string];
}

export type BuiltInNames = 'ifType' | 'inetAddressType' | 'inetVersion' | 'ipProtocol' | 'safi';

export const unscaled: Scale = { times: 1, over: 1 };
