import { inputProblem } from '../../../src/http/index.ts';
import type { DeviceRef, DeviceState } from '../../../src/index.ts';
import type { DeviceSort, DeviceSortKey } from '../../../src/model/index.ts';
import { compareNatural } from '../../../src/natural-order.ts';

/** What the place of a device depends on. */
interface Sortable {
  readonly ref: DeviceRef;
  readonly status: { readonly state: DeviceState; readonly sinceMs: number };
}

/** The place of a device in an order. */
export interface Placed {
  readonly key: string | number;
  readonly ref: DeviceRef;
}

/** Problems first. */
const stateRanks: Readonly<Record<DeviceState, number>> = {
  down: 0,
  suspect: 1,
  recovering: 2,
  unknown: 3,
  up: 4,
};

/** An order that all members of a cluster agree on. Devices with the same key follow each other by name, address and port. */
export class DeviceOrder {
  readonly #sort: DeviceSort | '';
  readonly #by: DeviceSortKey | undefined;
  readonly #isReverse: boolean;

  /** Without `sort`: by the code units of the names, then address and port. */
  constructor(sort: DeviceSort | undefined) {
    this.#sort = sort ?? '';
    this.#isReverse = sort?.startsWith('-') ?? false;
    this.#by = sort?.replace('-', '') as DeviceSortKey | undefined;
  }

  /** `findVendor` is called when vendors matter. */
  keyOf<Item extends Sortable>(
    device: Item,
    findVendor: (device: Item) => string | undefined,
  ): string | number {
    switch (this.#by) {
      case 'name':
        return device.ref.name;
      case 'address':
        return addressKey(device.ref.ip);
      case 'state':
        return stateRanks[device.status.state];
      case 'since':
        return device.status.sinceMs;
      case 'vendor':
        return findVendor(device) ?? '';
      default:
        return '';
    }
  }

  /** Names a device and not a position, so that it stays valid when devices come, go or move to other members. */
  cursorAfter({ key, ref: { name, ip, port } }: Placed): string {
    return Buffer.from(JSON.stringify(['v3', this.#sort, key, name, ip, port])).toString('base64url');
  }

  readCursor(cursor: string): Placed {
    try {
      const [version, sort, key, name, ip, port] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
      const isKey = typeof key === 'string' || Number.isFinite(key);
      const isRef = typeof name === 'string' && typeof ip === 'string' && Number.isInteger(port);
      if (version === 'v3' && sort === this.#sort && isKey && isRef) return { key, ref: { name, ip, port } };
    } catch {
      // The same answer as for other texts that are no cursors.
    }
    throw inputProblem('the cursor is not one that a page in this order returned');
  }

  readonly compare = (a: Placed, b: Placed): number => {
    const order = compareKeys(a.key, b.key);
    if (order !== 0) return this.#isReverse ? -order : order;
    return compareRefs(a.ref, b.ref);
  };
}

/** The first `count` of many, in order: what comes behind them is not kept. */
export class FirstOf<Item extends Placed> {
  readonly #count: number;
  readonly #compare: (a: Placed, b: Placed) => number;
  #items: Item[] = [];
  /** The last of the first `count` so far. */
  #last: Item | undefined;

  constructor(count: number, { compare }: DeviceOrder) {
    this.#count = count;
    this.#compare = compare;
  }

  accepts(item: Placed): boolean {
    return this.#last === undefined || this.#compare(item, this.#last) < 0;
  }

  add(item: Item): void {
    this.#items.push(item);
    if (this.#items.length >= 2 * this.#count) this.#cut();
  }

  list(): readonly Item[] {
    this.#cut();
    return this.#items;
  }

  #cut(): void {
    this.#items = this.#items.sort(this.#compare).slice(0, this.#count);
    if (this.#items.length === this.#count) this.#last = this.#items.at(-1);
  }
}

function compareKeys(a: string | number, b: string | number): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  return typeof b === 'number' ? 1 : compareNatural(a, b);
}

/** IPv4 addresses by their number, before those of IPv6. */
function addressKey(ip: string): string | number {
  let [number, part] = [0, 0];
  for (let at = 0; at < ip.length; at++) {
    const code = ip.charCodeAt(at);
    if (isDigit(code)) part = 10 * part + code - zero;
    else if (code === dot) {
      number = 256 * number + part;
      part = 0;
    } else return ip;
  }
  return 256 * number + part;
}

function compareRefs(a: DeviceRef, b: DeviceRef): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  if (a.ip !== b.ip) return a.ip < b.ip ? -1 : 1;
  return a.port - b.port;
}

const zero = 48;
const dot = 46;

function isDigit(code: number): boolean {
  return code >= zero && code <= 57;
}
