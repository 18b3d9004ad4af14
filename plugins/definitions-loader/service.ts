import type { Cost, ListedChange, SingleDeviceCheck } from '../../src/definitions/index.ts';
import {
  type DefinitionChanges,
  type DeviceRef,
  type Problem,
  type ServiceToken,
  serviceToken,
} from '../../src/index.ts';
import type { Generation, GenerationFacts, GroupedDevice } from './generation/generation.ts';

/** The running definitions, and how to replace them with the current content of the files. */
export interface Definitions {
  /** An apply replaces it as a whole. Take it once at the start of work that must not mix two generations. */
  readonly current: Generation;
  /** The last generations of this run, newest first. */
  readonly recent: readonly GenerationRecord[];
  /** Why the last good snapshot is used instead of the files; undefined when the files have no errors. */
  readonly degraded: readonly Problem[] | undefined;
  /** In a cluster: why the files of this member are not what the cluster uses. */
  readonly difference?: string | undefined;
  /** Reads the files again. Applies run one after the other; equal requests that wait share one apply. */
  apply(request: ApplyRequest): Promise<ApplyResult>;
  /** Checks a device that is not in a file: by the rules for files, the running definitions and the current secrets. */
  checkDevice(name: string, device: unknown): SingleDeviceCheck;
  /**
   * Sets the source of the devices and their groups in use, found by sysObjectID or given by the API. Until then, affected
   * devices are those that the files configure.
   */
  useDevices(list: () => Iterable<GroupedDevice>): void;
}

export interface ApplyRequest {
  /** Passed on with the event: rediscover the devices that the changes affect. */
  readonly forceRediscovery?: boolean;
  /** Returns what would change and what it would cost, and changes nothing. */
  readonly dryRun?: boolean;
  /** Who requests it, for logs and events. */
  readonly requestedBy: string;
}

export type ApplyResult = AcceptedApply | RejectedApply;

export interface AcceptedApply {
  readonly accepted: true;
  /** The running generation; in a dry run it did not change. */
  readonly generation: number;
  readonly previousGeneration: number;
  readonly changed: boolean;
  readonly forceRediscovery: boolean;
  readonly changes: DefinitionChanges;
  readonly affectedDevices: readonly DeviceRef[];
  readonly warnings: readonly Problem[];
  readonly durationMs: number;
  /** In a cluster: what the members use now. */
  readonly members?: readonly MemberGeneration[];
  /** In a dry run. */
  readonly cost?: { readonly before: Cost; readonly after: Cost };
  /** In a dry run: what differs in each definition, and where it is. The first 500. */
  readonly differences?: readonly ListedChange[];
}

/** The definitions of one member of a cluster. */
export interface MemberGeneration {
  readonly name: string;
  /** Undefined when the member has not switched yet. */
  readonly generation?: number;
  readonly changed?: boolean;
}

/** The files have errors; the running generation stays in use. */
export interface RejectedApply {
  readonly accepted: false;
  readonly generation: number;
  readonly problems: readonly Problem[];
  readonly durationMs: number;
}

export interface GenerationRecord extends Pick<GenerationFacts, 'number' | 'appliedMs' | 'requestedBy'> {
  /** Undefined for the first generation of this run. */
  readonly changes: DefinitionChanges | undefined;
}

export const definitionsToken: ServiceToken<Definitions> = serviceToken<Definitions>('definitions-loader');

export type {
  DeviceProblem,
  SingleDeviceCheck,
} from '../../src/definitions/index.ts';
export type { ConfiguredDevice, Generation, GroupedDevice, Located } from './generation/generation.ts';
