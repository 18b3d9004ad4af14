import type { Oid } from '../../model/oid.ts';
import type { IndexPart } from '../index/index-part.ts';
import type { AttributeParts, LinkedAttributePart, RowUnit } from '../keywords/attribute-keywords.ts';
import type { ByText } from '../keywords/by-text.ts';
import type { costClasses, ObjectParts } from '../keywords/object-keywords.ts';
import type { WordsByValue } from '../keywords/sensor.ts';
import type { Category, Severity } from '../schema/notification.ts';
import type { RawDefinitions, RawDevice } from '../schema/raw-definitions.ts';
import type { SensorClassName } from '../vocabulary/sensor-classes.ts';
import type { SensorDirection, SensorPart, SensorState } from '../vocabulary/sensor-parts.ts';
import type { SensorLimit } from '../vocabulary/sensor-words.ts';

/** One generation of definitions: plain data that never changes. Objects with the same hash are polled and recorded alike. */
export interface CompiledDefinitions {
  /** In file order. */
  readonly objects: ReadonlyMap<string, CompiledObject>;
  /** By table: the ids of the objects that share its rows, in file order. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  readonly objectGroups: ReadonlyMap<string, CompiledGroup>;
  readonly deviceGroups: ReadonlyMap<string, CompiledGroup>;
  readonly notifications: ReadonlyMap<string, CompiledNotification>;
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

/** The part of the definitions that depends on no group, device or network. */
export type CompiledObjects = Pick<CompiledDefinitions, 'objects' | 'notifications' | 'enums'>;

/** An object that can be polled: what its keywords compile to, linked. */
export interface CompiledObject extends Omit<ObjectParts, UsedBeforePolling | 'attributes' | 'cost'> {
  readonly id: string;
  /** The objects with the same table share rows: those that augment each other and name no record of their own. */
  readonly table: string;
  /**
   * The record that its values are in: the one of the vocabulary that it names, or else its own id, or that of the last object in
   * the chain that it augments.
   */
  readonly record: string;
  readonly labels: readonly (readonly [label: string, template: CompiledTemplate])[] | undefined;
  /** How instances are split and labelled: its own index, or that of the object it augments; empty for scalars, whose only instance is `.0`. */
  readonly index: readonly IndexPart[];
  /** The attribute whose walk shows which instances exist; undefined for scalars and for an object without attributes. */
  readonly discoveryAttribute: string | undefined;
  readonly cost: CostClass;
  /** The objects that it replaces, and what those replace. */
  readonly replaces: readonly string[] | undefined;
  /** In file order. */
  readonly attributes: ReadonlyMap<string, CompiledAttribute>;
  /**
   * Changes whenever something changes that its polling or its records depend on, including what it augments and overrides,
   * its enums and the interval of its type. Descriptions and MIB names are not part of it, because no record carries them.
   */
  readonly hash: string;
}

export type CostClass = (typeof costClasses)[number];

/** Parts of an object that only the style check reads, from the files. */
type UsedBeforePolling = 'mib' | 'entry' | 'into' | 'labels';

/** What the keywords of an attribute compile to, linked. It has no field, one, or two where the syntax has a companion. */
export interface CompiledAttribute extends Omit<AttributeParts, LinkedAttributePart> {
  readonly name: string;
  /** The id of its enum. */
  readonly enum: string | undefined;
  /** Where this one exists for an instance, these are neither polled nor emitted: the attribute it names, the one which that names, and so on. */
  readonly overrides: readonly AttributeRef[];
  readonly scale: CompiledScale | undefined;
  readonly sensor: CompiledSensor | undefined;
}

/** Text with the values of columns in it. */
export type CompiledTemplate = readonly TemplatePart[];
/** Text, an attribute, a part of the index, or the whole index. */
export type TemplatePart = string | AttributeRef | { readonly part: number | 'all' };

/** A row of the record `sensor` for each instance of an attribute. */
export interface CompiledSensor {
  readonly class: SensorClassName | ({ readonly of: AttributeRef } & ByText<SensorClassName>);
  readonly name: CompiledTemplate;
  readonly location: CompiledTemplate | undefined;
  readonly part: SensorPart | undefined;
  readonly direction: SensorDirection | undefined;
  readonly state: { readonly of: AttributeRef; readonly values: WordsByValue<SensorState> } | undefined;
  readonly limits: readonly (readonly [SensorLimit, number | AttributeRef])[];
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
  /** Holds the number that the value is divided by. */
  readonly divisor?: AttributeRef | undefined;
  /** Holds the number that the value is multiplied by. */
  readonly times?: AttributeRef | undefined;
  /** Holds the unit: a factor, or a unit of temperatures, by value. */
  readonly unit?: ({ readonly of: AttributeRef } & ByText<number | RowUnit>) | undefined;
}

export interface AttributeRef {
  readonly object: string;
  readonly attribute: string;
}

/** An object group or a device group, with all objects that it names, sorted, each once. */
export interface CompiledGroup {
  readonly id: string;
  /** The objects or object groups that its file lists, without those that do not exist. */
  readonly members: readonly string[];
  readonly objects: readonly string[];
  /** Set for a device group that also contains whatever a device answers, without these objects. */
  readonly auto?: { readonly without: readonly string[] };
  readonly hash: string;
}

export interface CompiledEnum {
  /** `integer/1.3.6…`, `bitmap/1.3.6…`. */
  readonly id: string;
  readonly names: ReadonlyMap<number, string>;
  readonly hash: string;
}

/** A trap or an inform as its definition says. Plain data. */
export interface CompiledNotification {
  readonly id: string;
  /** The value of snmpTrapOID.0, or, with `isPrefix`, what is before it. */
  readonly oid: Oid;
  readonly isPrefix: boolean;
  readonly severity: Severity;
  /** The severity by a value of the notification, before `severity`. */
  readonly severityFrom:
    | { readonly field: string; readonly values: Readonly<Record<string, Severity>> }
    | undefined;
  readonly category: Category;
  readonly description: string | undefined;
  readonly message: readonly MessagePart[] | undefined;
  readonly varbinds: readonly NotificationVarbind[];
  /** Fields that say what it is about; undefined: the index parts of its varbinds. */
  readonly identity: readonly string[] | undefined;
  /** The ids of the notifications that it ends. */
  readonly clears: readonly string[];
  readonly clearsWhen: { readonly field: string; readonly in: readonly string[] } | undefined;
  /** Varbinds of no object. */
  readonly attributes: ReadonlyMap<string, CompiledAttribute>;
  readonly aim:
    | {
        readonly poll: readonly string[];
        /** Fields whose value is the OID of what is polled. */
        readonly pollNamedBy: readonly string[];
        readonly rediscover: boolean;
      }
    | undefined;
  readonly isMuted: boolean;
  readonly hash: string;
}

/** Text, or the first of these fields that the record has. */
export type MessagePart = string | { readonly anyOf: readonly string[] };

export interface NotificationVarbind {
  readonly name: string;
  /** Undefined when no definition has it. */
  readonly column: Oid | undefined;
}

export type { CompiledField } from '../keywords/field.ts';
