import { type Batch, deviceKey } from '../../src/index.ts';
import { ownerSilentMs } from '../../src/sharding/index.ts';

interface Ownership {
  readonly epoch: number;
  /** When its first reading was made, and its last one. */
  readonly sinceMs: number;
  lastMs: number;
}

/**
 * In a cluster: which collector asks a device, as far as its readings show. A former owner may still deliver what it has read before the
 * change, but nothing newer.
 */
export class OwnerEpochs {
  readonly #owners = new Map<string, Ownership>();

  /** Whether the reading is of the owner that the device had then. */
  admits({ device, epoch, timeMs }: Batch): boolean {
    if (epoch === undefined) return true;
    const key = deviceKey(device);
    const owner = this.#owners.get(key);
    if (owner?.epoch === epoch) owner.lastMs = Math.max(owner.lastMs, timeMs);
    else if (owner === undefined || epoch > owner.epoch || timeMs > owner.lastMs + ownerSilentMs)
      this.#owners.set(key, { epoch, sinceMs: timeMs, lastMs: timeMs });
    else return timeMs < owner.sinceMs;
    return true;
  }
}
