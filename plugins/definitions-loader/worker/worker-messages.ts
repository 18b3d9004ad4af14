import type { Cost, ListedChange, NewObject, Replacement } from '../../../src/definitions/index.ts';
import type { DefinitionChanges, DeviceRef, Problem } from '../../../src/index.ts';
import type { DefinitionSources } from '../reading/definition-roots.ts';
import type { DeltaPiece } from './definition-delta.ts';
import type { DiscoveredDevices } from './discovered-devices.ts';

/** Requests of the main thread. Each has one reply, in order. */
export type WorkerRequest =
  /** Reads every file and checks the set; it becomes the candidate. */
  | {
      readonly type: 'read';
      readonly sources: DefinitionSources;
      readonly secretsDirectory: string | undefined;
      /** Only for a dry run: what discoveries found. */
      readonly found: DiscoveredDevices | undefined;
    }
  /** Makes the snapshot the candidate, its plain-text secrets taken from `secrets` or the set read before, or that set if it is of the same files. */
  | {
      readonly type: 'restore';
      readonly snapshot: string;
      readonly secretsDirectory: string | undefined;
      readonly secrets: Uint8Array | undefined;
    }
  /** The candidate as a snapshot, compressed, without plain-text secrets. */
  | { readonly type: 'pack'; readonly isInUse: boolean }
  /** Makes a packed set the candidate, its plain-text secrets taken from the files of `sources`, which are read first. */
  | {
      readonly type: 'unpack';
      readonly packed: Uint8Array;
      readonly sources: DefinitionSources;
      readonly secretsDirectory: string | undefined;
    }
  /** The next piece of what turns the accepted set into the candidate. */
  | { readonly type: 'next' }
  /** The candidate is now in use. */
  | { readonly type: 'accept'; readonly generation: number; readonly snapshot: string };

/** What the thread posts: a value of `WorkerReplies`, or the reason why there is none. */
export type WorkerReply = { readonly value: unknown } | { readonly error: string };

export interface WorkerReplies {
  readonly read: CandidateReport;
  readonly restore: CandidateReport | undefined;
  readonly pack: Uint8Array;
  readonly unpack: UnpackedReport;
  readonly next: DeltaPiece | undefined;
  /** The plain-text secrets of the set, compressed: with them and the snapshot, another thread can restore it. */
  readonly accept: Uint8Array;
}

/** A summary of a candidate. */
export interface CandidateReport {
  readonly problems: readonly Problem[];
  readonly counts: DefinitionCounts;
  readonly replaced: readonly Replacement[];
  readonly fingerprint: string;
  readonly changes: DefinitionChanges;
  /** Whether the device defaults changed, which affects devices that are not in a file. */
  readonly changesDefaults: boolean;
  /** Whether a description changed, which outputs show and which affects no device. */
  readonly changesDescriptions: boolean;
  /** Whether the tags of the device defaults changed. */
  readonly changesDefaultTags: boolean;
  /** Devices of the files that are new, or whose groups or tags changed. */
  readonly changedDevices: readonly DeviceRef[];
  /** Objects that `objects: auto` may find where it did not look for them before. */
  readonly newObjects: readonly NewObject[];
  /** In a dry run. */
  readonly cost?: { readonly before: Cost; readonly after: Cost };
  /** In a dry run: what differs in each definition, and where it is. */
  readonly differences?: readonly ListedChange[];
}

export interface UnpackedReport extends CandidateReport {
  /** Whether the files of this collector are those that were packed. */
  readonly isLikeFiles: boolean;
}

export interface DefinitionCounts {
  readonly objects: number;
  readonly attributes: number;
  readonly objectGroups: number;
  readonly deviceGroups: number;
  readonly notifications: number;
  readonly devices: number;
  readonly enums: number;
  readonly enumEntries: number;
  readonly sysObjectIds: number;
  readonly networks: number;
}
