import { type Batch, hasSameTags } from '../model/batch.ts';
import { deviceKey } from '../model/device.ts';
import { ExpiringMap } from './expiring-map.ts';

/** A value that expires before it is needed again is made again. */
const keepMs = 3_600_000;

interface CacheEntry<Value> {
  readonly rows: Batch['rows'];
  readonly tags: Batch['tags'];
  readonly name: string;
  readonly value: Value;
}

/** Keeps what an output makes once for the rows of a record of a device, until the rows, the tags or the name of the device change. */
export class RowCache<Value> {
  readonly #entries: ExpiringMap<CacheEntry<Value>>;

  constructor(now: () => number = Date.now) {
    this.#entries = new ExpiringMap(keepMs, now);
  }

  /** Returns the kept value for the rows of `batch`, or makes it. */
  get<B extends Batch>(batch: B, make: (batch: B) => Value): Value {
    const { device, record, plan, rows, tags } = batch;
    const key = `${deviceKey(device)}\n${record}\n${plan}`;
    const entry = this.#entries.get(key);
    if (entry?.rows === rows && hasSameTags(entry.tags, tags) && entry.name === device.name)
      return entry.value;
    const value = make(batch);
    this.#entries.set(key, { rows, tags, name: device.name, value });
    return value;
  }
}
