import type { AttributeRef, LeftOut, Scale, SyntaxKind } from '../../../src/definitions/index.ts';
import type { DeviceRef, Oid } from '../../../src/index.ts';
import type { Device } from '../../device-registry/service.ts';
import type { PollFailure } from '../device/device-state.ts';
import type { ValueReading } from './value-reading.ts';

/** Everything between a line in a definition file and one value. */
export interface ValueExplanation {
  readonly device: DeviceRef;
  readonly object: string;
  readonly attribute: string;
  readonly instance: string;
  /** The SNMPv3 context of the value; undefined for a device with a single context. */
  readonly context: string | undefined;
  /** One sentence: that the last poll returned the value, or the first reason why it is missing. */
  readonly verdict: string;
  /** Why the device does not collect the object; undefined when it does. */
  readonly notCollected: LeftOut | undefined;
  readonly definition: ExplainedDefinition;
  /** Every group that makes the device be polled for the object. */
  readonly broughtInBy: readonly {
    readonly deviceGroup: string;
    /** Missing where the device group names the object itself, or the device answered it. */
    readonly objectGroup?: string;
  }[];
  readonly status: Device['status'];
  /** Undefined before the first discovery. */
  readonly inventory: ExplainedInventory | undefined;
  /** The reading of the last poll; undefined when no plan reads the value. */
  readonly reading: ValueReading | undefined;
  /** The last poll or probe of the device that failed. */
  readonly lastFailure: PollFailure | undefined;
}

export interface ExplainedDefinition {
  readonly file: string;
  /** The line of the object, counted from 1. */
  readonly line: number;
  readonly column: Oid;
  readonly record: string;
  readonly fields: readonly string[];
  readonly tag: boolean;
  readonly decoding: {
    readonly syntax: string;
    /** The SNMP types that the syntax accepts, and what it makes of them, in words. */
    readonly input: string;
    readonly description: string;
    readonly kind: SyntaxKind;
    readonly scale: Scale;
    /** Columns of the same row that also scale the value. */
    readonly scaledBy: readonly AttributeRef[];
    readonly unit: string | undefined;
    /** The id of the enum that names the values. */
    readonly enum: string | undefined;
  };
}

export interface ExplainedInventory {
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly discoveredMs: number;
  /** How many instances of the object were found; undefined when no discovery looked for the object. */
  readonly instances: number | undefined;
  readonly hasInstance: boolean;
  /** Whether the definition of the object has changed since the discovery. */
  readonly isOutdated: boolean;
  /** Why the walk of the object did not reach the end. */
  readonly partial: string | undefined;
  /** The attribute that overrides this one at this instance. */
  readonly overriddenBy: AttributeRef | undefined;
}
