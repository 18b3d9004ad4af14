import { randomBytes } from 'node:crypto';

/** Arcs of an OID. */
export type Arcs = readonly number[];

export type HostileValue =
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'text'; readonly octets: Uint8Array }
  | { readonly type: 'oid'; readonly arcs: Arcs }
  | { readonly type: 'ticks'; readonly value: number };

/** How a hostile device behaves. What is left out is as on any device. */
export interface HostileKind {
  /** The index after this one in a column, undefined at the end of the column. `after` is empty at its start. */
  next(after: Arcs, column: Arcs): Arcs | undefined;
  /** The value at an index of a column; a number by default, a text in the first two columns of a table. */
  value?(column: Arcs, index: Arcs): HostileValue;
  readonly sysUpTime?: () => number;
  readonly sysObjectId?: () => Arcs;
  /** Milliseconds before each reply. */
  readonly delayMs?: number;
  /** How often each reply is sent. */
  readonly copies?: number;
  /** Datagrams sent before each reply. */
  readonly noise?: (request: Buffer) => readonly Buffer[];
  /** Varbinds per reply: a request for more is answered with tooBig. */
  readonly maxVarbinds?: number;
  /** Whether every SNMPv3 request is answered with this many Reports, and never with a Response. */
  readonly reports?: number;
}

const ifDescr = '1.3.6.1.2.1.2.2.1.2';
const isText = (column: Arcs) => column.at(-1)! <= 2;

function upTo(rows: number): HostileKind['next'] {
  return ([row = 0]) => (row < rows ? [row + 1] : undefined);
}

const endless = upTo(0xfffffffe);
const deepPrefix = Array.from({ length: 100 }, (_, i) => 0x0fffffff + i);
const startedMs = Date.now();

let walkNumber = 0;

/** Each kind is one device. */
export const hostileKinds: Readonly<Record<string, HostileKind>> = {
  'endless column': {
    next: (after, column) => (column.join('.') === ifDescr ? endless(after, column) : upTo(4)(after, column)),
  },
  'endless columns': { next: endless },
  'an endless column of long texts': {
    next: (after, column) => (column.join('.') === ifDescr ? endless(after, column) : upTo(4)(after, column)),
    value: (column, index) =>
      isText(column)
        ? { type: 'text', octets: Buffer.from(`${index.at(-1)} `.padEnd(255, 'long ')) }
        : { type: 'number', value: 1 },
  },
  'a table of 50,000 rows': {
    next: (after, column) => upTo(column[6] === 2 ? 50_000 : 3)(after, column),
  },
  'two tables of 1,200,000 rows': {
    next: (after, column) => upTo(column[6] === 2 || column[8] === 1 ? 1_200_000 : 3)(after, column),
  },
  'values of 60 kB': {
    next: upTo(500),
    value: (column) => (isText(column) ? { type: 'text', octets: bigText } : { type: 'number', value: 1 }),
  },
  'OIDs that do not increase': { next: ([row = 0]) => [row >= 100 ? 1 : row + 1] },
  'one varbind per reply': { next: endless, maxVarbinds: 1 },
  'slow replies': { next: endless, delayMs: 2_500 },
  'malformed datagrams': {
    next: upTo(500),
    noise: (request) =>
      Array.from({ length: 50 }, (_, i) => {
        const copy = i % 2 === 0 ? randomBytes(1_000) : Buffer.from(request);
        if (i % 2 === 1) copy[(i * 7) % copy.length]! ^= 0xff;
        return copy;
      }),
  },
  'each reply 100 times': { next: upTo(500), copies: 100 },
  'indexes of 100 arcs': {
    next: (after) => [...deepPrefix, (after.at(-1) ?? 0) + 1],
  },
  'other indexes at every walk': {
    next: (after) => {
      const [row = 0] = after;
      if (row === 0) return [1 + 10_000 * walkNumber++];
      return row % 10_000 < 500 ? [row + 1] : undefined;
    },
  },
  'a restart at every poll': {
    next: upTo(500),
    sysUpTime: () => 1_000_000 - (Math.floor((Date.now() - startedMs) / 1_000) % 1_000_000),
  },
  'values of the wrong type': {
    next: upTo(500),
    value: (column) =>
      isText(column) ? { type: 'oid', arcs: [1, 3, 6, ...deepPrefix] } : { type: 'text', octets: wrongText },
  },
  'texts that are not text': {
    next: upTo(500),
    value: (column, index) =>
      isText(column)
        ? { type: 'text', octets: Buffer.alloc(255, Uint8Array.of(0xff, 0, 0x1b, 0xc3, index.at(-1)! & 255)) }
        : { type: 'number', value: Date.now() & 0xffff },
  },
  'another sysObjectID at every poll': {
    next: upTo(500),
    sysObjectId: () => [1, 3, 6, 1, 4, 1, 9, 1, Date.now() & 0xffff],
  },
  'floods of Reports': { next: upTo(10), reports: 200 },
};

const bigText = Buffer.alloc(60_000, 'x');
const wrongText = Buffer.alloc(64, 'w');
