/** The positions of a BER element: its tag, the first octet of its length, its content. */
interface Element {
  readonly tag: number;
  readonly length: number;
  readonly start: number;
  readonly end: number;
}

type Random = () => number;
type Mutation = (octets: Buffer, element: Element, random: Random) => Buffer;

/** Makes almost valid packets with one to three changes that follow the structure of BER. Never throws; deterministic. */
export function mutate(seed: Buffer, random: Random): Buffer {
  let octets: Buffer = Buffer.from(seed);
  const changes = 1 + Math.floor(random() * 3);
  for (let i = 0; i < changes; i++) {
    const elements = listElements(octets);
    const element = elements[Math.floor(random() * elements.length)];
    if (element === undefined) return octets;
    octets = pick(mutations, random)(octets, element, random);
  }
  return octets;
}

const hostileLengths = [
  '80',
  '81ff',
  '82ffff',
  '8400000001',
  '84ffffffff',
  '850000000001',
  'ff',
  '00',
  '7f',
  '8100',
].map((hex) => Buffer.from(hex, 'hex'));
const tags = [
  0x02, 0x03, 0x04, 0x05, 0x06, 0x0a, 0x1f, 0x30, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x80, 0x81,
  0x82, 0x9f, 0xa0, 0xa2, 0xa4, 0xa5, 0xa8, 0xff,
];

const mutations: readonly Mutation[] = [
  (octets, { length }, random) => {
    octets[length] = octets[length]! + (random() < 0.5 ? 1 : -1);
    return octets;
  },
  (octets, { length, start }, random) => splice(octets, length, start, pick(hostileLengths, random)),
  (octets, { tag }, random) => {
    octets[tag] = pick(tags, random);
    return octets;
  },
  (octets, { start, end }, random) => {
    if (end > start) octets[start + Math.floor(random() * (end - start))] = Math.floor(random() * 256);
    return octets;
  },
  (octets, { start, end }, random) => octets.fill(random() < 0.5 ? 0xff : 0x80, start, end),
  (octets, { tag, end }) => splice(octets, tag, end, Buffer.alloc(0)),
  (octets, { tag, end }) => splice(octets, end, end, octets.subarray(tag, end)),
  (octets, { start }, random) =>
    splice(octets, start, start, Buffer.alloc(1 + Math.floor(random() * 12), 0xff)),
  (octets, _, random) => octets.subarray(0, Math.floor(random() * octets.length)),
  (octets, { tag, end }, random) => {
    const times = 1 + Math.floor(random() * 40);
    return splice(octets, end, end, Buffer.concat(Array(times).fill(octets.subarray(tag, end)))).subarray(
      0,
      65_507,
    );
  },
];

function splice(octets: Buffer, start: number, end: number, between: Buffer): Buffer {
  return Buffer.concat([octets.subarray(0, start), between, octets.subarray(end)]);
}

function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)]!;
}

/** Every element that can be found, also inside octet strings that look like BER; at most 500. */
function listElements(octets: Buffer): Element[] {
  const found: Element[] = [];
  const ranges: (readonly [start: number, end: number])[] = [[0, octets.length]];
  for (let range = ranges.pop(); range !== undefined && found.length < 500; range = ranges.pop()) {
    let [at, end] = range;
    while (end - at >= 2 && found.length < 500) {
      const first = octets[at + 1]!;
      const extra = first > 0x7f ? first & 0x7f : 0;
      if (extra > 4 || extra > end - at - 2) break;
      const size = extra === 0 ? first : octets.readUIntBE(at + 2, extra);
      const start = at + 2 + extra;
      if (size > end - start) break;
      found.push({ tag: at, length: at + 1, start, end: start + size });
      if ((octets[at]! & 0x20) !== 0 || octets[start] === 0x30) ranges.push([start, start + size]);
      at = start + size;
    }
  }
  return found;
}
