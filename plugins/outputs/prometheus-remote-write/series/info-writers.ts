import { type Batch, deviceKey } from '../../../../src/index.ts';
import { ExpiringMap } from '../../../../src/output-kit/index.ts';

interface InfoWriter {
  readonly plan: string;
  /** Another plan takes over when the writer is not polled until then. */
  untilMs: number;
}

const missedPolls = 2.5;
const keepMs = 25 * 3_600_000;

/**
 * Chooses the plan whose polls write the labels that only the info metric has. Two plans would write the same series, and the slower one
 * would write old labels after the new ones.
 */
export class InfoWriters {
  readonly #writers: ExpiringMap<InfoWriter>;

  constructor(now: () => number = Date.now) {
    this.#writers = new ExpiringMap(keepMs, now);
  }

  isWriter({ device, record, plan, tags, slotMs, intervalMs = keepMs }: Batch): boolean {
    // Each SNMPv3 context has its own plans.
    const key = `${deviceKey(device)}\n${record}\n${tags['context'] ?? ''}`;
    const untilMs = slotMs + missedPolls * intervalMs;
    const writer = this.#writers.get(key);
    if (writer?.plan === plan) writer.untilMs = untilMs;
    else if (writer === undefined || writer.untilMs < slotMs) this.#writers.set(key, { plan, untilMs });
    else return false;
    return true;
  }
}
