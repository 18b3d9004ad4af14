import { type Batch, deviceKey } from '../../../../src/index.ts';
import { FadingMap } from './fading-map.ts';

/** What is forgotten sooner than it is needed again is only made again. */
const keepMs = 3_600_000;

interface Made<Value> {
  readonly rows: Batch['rows'];
  readonly tags: Batch['tags'];
  readonly name: string;
  readonly value: Value;
}

/** What is made once for the rows of a record of a device, and serves as long as its rows, its tags and its name stay. */
export class RowMemory<Value> {
  readonly #made: FadingMap<Made<Value>>;

  constructor(now: () => number = Date.now) {
    this.#made = new FadingMap(keepMs, now);
  }

  get<B extends Batch>(batch: B, make: (batch: B) => Value): Value {
    const { device, record, plan, rows, tags } = batch;
    const key = `${deviceKey(device)}\n${record}\n${plan}`;
    const made = this.#made.get(key);
    if (made?.rows === rows && made.tags === tags && made.name === device.name) return made.value;
    const value = make(batch);
    this.#made.set(key, { rows, tags, name: device.name, value });
    return value;
  }
}
