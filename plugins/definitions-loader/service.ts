import {
  type DefinitionChanges,
  type DeviceRef,
  type Problem,
  type ServiceToken,
  serviceToken,
} from '../../src/index.ts';
import type { Cost, SingleDeviceCheck } from '../../src/internal.ts';
import type { Generation, GenerationFacts, GroupedDevice } from './generation/generation.ts';

/** The definitions that run, and how to replace them by what the files say now. */
export interface Definitions {
  /** Replaced as a whole by an apply: take it once at the beginning of what must not mix two. */
  readonly current: Generation;
  /** The last generations of this run, newest first. */
  readonly recent: readonly GenerationRecord[];
  /** Why the last good snapshot runs instead of the files; undefined when all is well. */
  readonly degraded: readonly Problem[] | undefined;
  /** Reads the files again. Applies run one after the other; equal ones that wait are one. */
  apply(request: ApplyRequest): Promise<ApplyResult>;
  /** What there is against a device that no file holds: the rules of files, the running definitions, the secrets of now. */
  checkDevice(name: string, device: unknown): SingleDeviceCheck;
  /**
   * Names who knows the devices and the groups that really hold for them, found by sysObjectID or given by the API, from
   * now on; before that, affected devices are those that the files configure.
   */
  useDevices(list: () => Iterable<GroupedDevice>): void;
}

export interface ApplyRequest {
  /** Passed on with the event: devices that the changes touch are to be discovered again. */
  readonly forceRediscovery?: boolean;
  /** Answers with what would change and what that would cost, and changes nothing. */
  readonly dryRun?: boolean;
  /** Who asks, for the record. */
  readonly requestedBy: string;
}

export type ApplyResult = AcceptedApply | RejectedApply;

export interface AcceptedApply {
  readonly accepted: true;
  /** The generation that runs now; in a dry run the one that still runs. */
  readonly generation: number;
  readonly previousGeneration: number;
  readonly changed: boolean;
  readonly forceRediscovery: boolean;
  readonly changes: DefinitionChanges;
  readonly affectedDevices: readonly DeviceRef[];
  readonly warnings: readonly Problem[];
  readonly durationMs: number;
  /** In a dry run. */
  readonly cost?: { readonly before: Cost; readonly after: Cost };
}

/** The files have errors; the running generation goes on. */
export interface RejectedApply {
  readonly accepted: false;
  readonly generation: number;
  readonly problems: readonly Problem[];
  readonly durationMs: number;
}

export interface GenerationRecord extends Pick<GenerationFacts, 'number' | 'appliedMs' | 'requestedBy'> {
  /** Undefined for the one that the collector started with. */
  readonly changes: DefinitionChanges | undefined;
}

export const definitionsToken: ServiceToken<Definitions> = serviceToken<Definitions>('definitions-loader');

export type {
  DeviceProblem,
  SingleDeviceCheck,
} from '../../src/internal.ts';
export type { ConfiguredDevice, Generation, GroupedDevice, Located } from './generation/generation.ts';
