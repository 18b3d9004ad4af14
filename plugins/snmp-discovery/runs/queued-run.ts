import { setMaxListeners } from 'node:events';
import { type DiscoveryCause, type DiscoveryProgress, defineErrors } from '../../../src/index.ts';
import type { SnmpSession } from '../../../src/snmp/index.ts';
import type { Device } from '../../device-registry/service.ts';
import { discoveryErrors } from '../errors.ts';
import type { DiscoveryOutcome, DiscoveryRun, PacketPace } from '../service.ts';

const failure = defineErrors(discoveryErrors);

/** Each request of a discovery listens until its reply. For a device with many tables, Node.js would take them for a leak. */
function abortForMany(): AbortController {
  const abort = new AbortController();
  setMaxListeners(0, abort.signal);
  return abort;
}

/** A discovery that waits, runs, or has ended. */
export class QueuedRun implements DiscoveryRun {
  readonly id: string;
  readonly device: Device['ref'];
  readonly subject: Device;
  readonly requestedMs: number;
  readonly ended: Promise<DiscoveryOutcome>;
  readonly abort: AbortController = abortForMany();
  cause: DiscoveryCause;
  /** What its packets keep; undefined for a run that only the limits of the queue delay. */
  pace: PacketPace | undefined;
  /** Whether new definitions are the only reason for it. */
  isOnlyForced: boolean;
  /** Whether it looks only for what new definitions have changed. */
  isPartial = false;
  state: DiscoveryRun['state'] = 'waiting';
  startedMs: number | undefined = undefined;
  endedMs: number | undefined = undefined;
  progress: DiscoveryProgress = { objects: 0, total: 0, instances: 0 };
  outcome: DiscoveryOutcome | undefined = undefined;
  /** The generation of the definitions that the run uses; 0 until it starts. */
  generation = 0;
  /** The settings that the run uses, from its start on. Later changes apply to the next run. */
  settings: Device['settings'] | undefined = undefined;
  #sessions: SnmpSession[] = [];
  #packets: number | undefined = undefined;
  #settle: (outcome: DiscoveryOutcome) => void = () => {};

  constructor(id: string, subject: Device, cause: DiscoveryCause, nowMs: number, pace?: PacketPace) {
    this.id = id;
    this.subject = subject;
    this.device = subject.ref;
    this.cause = cause;
    this.pace = pace;
    this.isOnlyForced = cause === 'forced';
    this.requestedMs = nowMs;
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get packets(): number | undefined {
    return this.endedMs === undefined ? countPackets(this.#sessions) : this.#packets;
  }

  /** Its packets count from now on. */
  use(session: SnmpSession): void {
    this.#sessions.push(session);
  }

  begin(nowMs: number, generation: number): void {
    this.state = 'running';
    this.startedMs = nowMs;
    this.generation = generation;
    this.settings = this.subject.settings;
  }

  end(outcome: DiscoveryOutcome, nowMs: number): void {
    this.#packets = countPackets(this.#sessions);
    this.#sessions = [];
    this.state = outcome.ok ? 'completed' : 'failed';
    this.endedMs = nowMs;
    this.outcome = outcome;
    this.#settle(outcome);
  }

  /** Ends the run without a result, because its device was removed or disabled, or because the collector is stopping. */
  cancel(reason: string, nowMs: number): Error & { readonly code: string } {
    const why = failure('DISCOVERY_GIVEN_UP', { device: this.device.name, reason });
    const { code, message } = why;
    this.end({ ok: false, code, message, durationMs: nowMs - (this.startedMs ?? nowMs) }, nowMs);
    return why;
  }
}

function countPackets(sessions: readonly SnmpSession[]): number | undefined {
  let packets = 0;
  for (const { sent } of sessions) {
    if (sent === undefined) return undefined;
    packets += sent;
  }
  return packets;
}
