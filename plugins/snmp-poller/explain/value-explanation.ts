import type { DeviceRef, Oid } from '../../../src/index.ts';
import type { AttributeRef, Scale, SyntaxKind } from '../../../src/internal.ts';
import type { Device } from '../../device-registry/service.ts';
import type { ValueStory } from './value-story.ts';

/** Everything between a line of a definition file and one value. */
export interface ValueExplanation {
  readonly device: DeviceRef;
  readonly object: string;
  readonly attribute: string;
  readonly instance: string;
  /** The SNMPv3 context that this is about; undefined for a device that is asked in one alone. */
  readonly context: string | undefined;
  /** One sentence: that the last poll brought it, or the first thing that stands in the way. */
  readonly verdict: string;
  readonly definition: ExplainedDefinition;
  /** How the device comes to be asked for the object: every way. */
  readonly broughtInBy: readonly { readonly deviceGroup: string; readonly objectGroup: string }[];
  readonly status: Device['status'];
  /** Undefined before the first discovery. */
  readonly inventory: ExplainedInventory | undefined;
  /** As of the last poll; undefined where nothing is read. */
  readonly reading: ValueStory | undefined;
  /** The last poll or probe of the device that failed. */
  readonly lastFailure: PollFailure | undefined;
}

export interface ExplainedDefinition {
  readonly file: string;
  /** Where the object begins, counted from 1. */
  readonly line: number;
  readonly column: Oid;
  readonly record: string;
  readonly fields: readonly string[];
  readonly tag: boolean;
  readonly decoding: {
    readonly syntax: string;
    /** The SNMP types it takes, and what it makes of them, in words. */
    readonly input: string;
    readonly description: string;
    readonly kind: SyntaxKind;
    readonly scale: Scale;
    /** What it is scaled by beside: columns of its row. */
    readonly scaledBy: readonly AttributeRef[];
    readonly unit: string | undefined;
    /** The id of the enum that names values. */
    readonly enum: string | undefined;
  };
}

export interface ExplainedInventory {
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly discoveredMs: number;
  /** How many instances of the object were found; undefined when the object was never looked for. */
  readonly instances: number | undefined;
  readonly hasInstance: boolean;
  /** Whether the object is another one since. */
  readonly isOutdated: boolean;
  /** Why the walk of the object did not reach the end. */
  readonly partial: string | undefined;
  /** What stands for the attribute at this instance. */
  readonly overriddenBy: AttributeRef | undefined;
}

export interface PollFailure {
  /** One of docs/errors.md. */
  readonly code: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}
