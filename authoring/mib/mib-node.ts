import type { BaseType } from './resolve/base-types.ts';

export type MibNodeKind =
  | 'module-identity'
  | 'node'
  | 'scalar'
  | 'table'
  | 'row'
  | 'column'
  | 'notification'
  | 'group'
  | 'compliance'
  | 'type';

/** An object, a notification, a group or a type of a module, in JSON as `waywiser mib dump` prints it. */
export interface MibNode {
  readonly module: string;
  readonly name: string;
  readonly kind: MibNodeKind;
  /** Without a leading dot; undefined for a type. */
  readonly oid: string | undefined;
  /** What SNMP carries. */
  readonly type: BaseType | undefined;
  /** The type as the module writes it: `DisplayString`, `INTEGER`. Of a table, the type of its rows. */
  readonly typeName: string | undefined;
  readonly enums: Readonly<Record<string, number>> | undefined;
  /** Of the number, or of the length of a string. */
  readonly ranges: readonly MibRange[] | undefined;
  /** DISPLAY-HINT, also of the textual conventions that the type is made of. */
  readonly hint: string | undefined;
  readonly units: string | undefined;
  readonly access: string | undefined;
  readonly status: string | undefined;
  /** The names of a row's INDEX. */
  readonly index: readonly string[] | undefined;
  /** Whether the last index has no length before it. */
  readonly implied: boolean | undefined;
  /** The row that this row extends and whose index it has. */
  readonly augments: string | undefined;
  /** Of a notification or a group. */
  readonly objects: readonly string[] | undefined;
  /** Without the indentation that it has in the file. */
  readonly description: string | undefined;
  /** Of a notification: the comments behind its description that management stations read, such as `--#SEVERITY MAJOR`, by their word. */
  readonly remarks: Readonly<Record<string, string>> | undefined;
  /** Where its name is. */
  locate(): { readonly file: string; readonly line: number; readonly column: number };
  toJSON(): object;
}

/** Both ends belong to the range. A string of digits where a number would not be exact. */
export interface MibRange {
  readonly min: number | string;
  readonly max: number | string;
}
