import type { Oid } from '../../model/oid.ts';
import type { IndexPart } from '../index/index-part.ts';
import type { AttributeParts, LinkedAttributePart } from '../keywords/attribute-keywords.ts';
import type { ObjectParts } from '../keywords/object-keywords.ts';
import type { RawDefinitions, RawDevice } from '../schema/raw-definitions.ts';

/** One generation of definitions: plain data that never changes. Objects with the same hash are polled and recorded alike. */
export interface CompiledDefinitions {
  /** In file order. */
  readonly objects: ReadonlyMap<string, CompiledObject>;
  /** By record: the ids of the objects whose values are in it, in file order. */
  readonly records: ReadonlyMap<string, readonly string[]>;
  readonly objectGroups: ReadonlyMap<string, CompiledGroup>;
  readonly deviceGroups: ReadonlyMap<string, CompiledGroup>;
  readonly enums: ReadonlyMap<string, CompiledEnum>;
  /** Names of OIDs as values, for all columns. */
  readonly oidNames: ReadonlyMap<Oid, string>;
  readonly deviceGroupsBySysObjectId: ReadonlyMap<Oid, string>;
  /** Milliseconds between polls, by object type. */
  readonly everyMsByType: ReadonlyMap<string, number>;
  /** By name, without defaults; the reader of the files fills these in. */
  readonly devices: ReadonlyMap<string, RawDevice>;
  readonly networks: RawDefinitions['networks'];
}

/** An object that can be polled: what its keywords compile to, linked. */
export interface CompiledObject extends Omit<ObjectParts, UsedBeforePolling | 'attributes'> {
  readonly id: string;
  /** The record that its values are in: its own id, or that of the last object in the chain that it augments. */
  readonly record: string;
  /** How instances are split and labelled: its own index, or that of the object it augments; empty for scalars, whose only instance is `.0`. */
  readonly index: readonly IndexPart[];
  /** The attribute whose walk shows which instances exist; undefined for scalars and for an object without attributes. */
  readonly discoveryAttribute: string | undefined;
  /** In file order. */
  readonly attributes: ReadonlyMap<string, CompiledAttribute>;
  /**
   * Changes whenever something changes that its polling or its records depend on, including what it augments and overrides,
   * its enums and the interval of its type. Descriptions and MIB names are not part of it, because no record carries them.
   */
  readonly hash: string;
}

/** Parts of an object that only the style check reads, from the files. */
type UsedBeforePolling = 'mib' | 'entry';

/** What the keywords of an attribute compile to, linked. It has no field, one, or two where the syntax has a companion. */
export interface CompiledAttribute extends Omit<AttributeParts, LinkedAttributePart> {
  readonly name: string;
  /** The id of its enum. */
  readonly enum: string | undefined;
  /** Where this one exists for an instance, these are neither polled nor emitted: the attribute it names, the one which that names, and so on. */
  readonly overrides: readonly AttributeRef[];
  readonly scale: CompiledScale | undefined;
}

/** What a value is multiplied by: a factor, and powers of ten from other columns of its row. */
export interface CompiledScale {
  readonly factor: number;
  /** Is added after that. */
  readonly offset?: number;
  /** Holds the decimal prefix, by the numbers of EntitySensorDataScale. */
  readonly prefix: AttributeRef | undefined;
  /** Holds the number of decimal places. */
  readonly precision: AttributeRef | undefined;
}

export interface AttributeRef {
  readonly object: string;
  readonly attribute: string;
}

/** An object group or a device group, with all objects that it contains, sorted, each once. */
export interface CompiledGroup {
  readonly id: string;
  /** The objects or object groups that its file lists, without those that do not exist. */
  readonly members: readonly string[];
  readonly objects: readonly string[];
  readonly hash: string;
}

export interface CompiledEnum {
  /** `integer/1.3.6…`, `bitmap/1.3.6…`. */
  readonly id: string;
  readonly names: ReadonlyMap<number, string>;
  readonly hash: string;
}

export type { CompiledField } from '../keywords/field.ts';
