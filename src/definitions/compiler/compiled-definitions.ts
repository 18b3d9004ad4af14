import type { Oid } from '../../model/oid.ts';
import type { IndexPart } from '../index/index-part.ts';
import type { AttributeParts, LinkedAttributePart } from '../keywords/attribute-keywords.ts';
import type { ObjectParts } from '../keywords/object-keywords.ts';
import type { RawDefinitions, RawDevice } from '../schema/raw-definitions.ts';

/** One generation of definitions: plain data that never changes. Objects of equal hash are polled and recorded alike. */
export interface CompiledDefinitions {
  /** In file order. */
  readonly objects: ReadonlyMap<string, CompiledObject>;
  /** By record: the ids of the objects whose values land in it, in file order. */
  readonly records: ReadonlyMap<string, readonly string[]>;
  readonly objectGroups: ReadonlyMap<string, CompiledGroup>;
  readonly deviceGroups: ReadonlyMap<string, CompiledGroup>;
  readonly enums: ReadonlyMap<string, CompiledEnum>;
  /** Names of OIDs as values, whatever column they stand in. */
  readonly oidNames: ReadonlyMap<Oid, string>;
  readonly deviceGroupsBySysObjectId: ReadonlyMap<Oid, string>;
  /** Milliseconds between polls, by object type. */
  readonly everyMsByType: ReadonlyMap<string, number>;
  /** By name, as the set gives them; whoever reads the files fills in defaults. */
  readonly devices: ReadonlyMap<string, RawDevice>;
  readonly networks: RawDefinitions['networks'];
}

/** An object that can be polled: what its keywords compile to, linked. */
export interface CompiledObject extends Omit<ObjectParts, UsedBeforePolling | 'attributes'> {
  readonly id: string;
  /** The record its values land in: its own id, or that of the object at the end of what it augments. */
  readonly record: string;
  /** How instances are cut and labelled: its own index, or that of the object it augments; empty for scalars, whose only instance is `.0`. */
  readonly index: readonly IndexPart[];
  /** The attribute whose walk shows which instances exist; undefined for scalars and for an object without attributes. */
  readonly discoveryAttribute: string | undefined;
  /** In file order. */
  readonly attributes: ReadonlyMap<string, CompiledAttribute>;
  /**
   * Changes when something that its polling or its records depend on does: what it augments and overrides, its enums and
   * the interval of its type included. Descriptions and the names of MIBs do not count, for no record carries them.
   */
  readonly hash: string;
}

/** Parts of an object that only the style check reads, in the files. */
type UsedBeforePolling = 'mib' | 'entry';

/** What the keywords of an attribute compile to, linked. `fields` are none, one, or two where the syntax has a companion. */
export interface CompiledAttribute extends Omit<AttributeParts, LinkedAttributePart> {
  readonly name: string;
  /** The id of its enum. */
  readonly enum: string | undefined;
  /** Where this one exists for an instance, these are neither polled nor emitted: the one it names, what that names… */
  readonly overrides: readonly AttributeRef[];
  readonly scale: CompiledScale | undefined;
}

/** What a value is multiplied by: 10 to the power of what other columns of its row say. */
export interface CompiledScale {
  readonly factor: number;
  /** Holds the decimal prefix, by the numbers of EntitySensorDataScale. */
  readonly prefix: AttributeRef | undefined;
  /** Holds the number of decimal places. */
  readonly precision: AttributeRef | undefined;
}

export interface AttributeRef {
  readonly object: string;
  readonly attribute: string;
}

/** An object group or a device group: all that it brings in, each object once, sorted. */
export interface CompiledGroup {
  readonly id: string;
  /** As its file lists them, without those that do not exist: objects, or object groups. */
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
