/** The words of a name in a MIB, in lower case: `ifHCInOctets` has if, hc, in and octets. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/([a-z]{3,})(\d)/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** How many words all lists begin with; each keeps one word at least. */
export function commonLength(lists: readonly (readonly string[])[]): number {
  const [first, ...others] = lists;
  if (first === undefined) return 0;
  let length = 0;
  while (
    length < first.length - 1 &&
    others.every((words) => words.length > length + 1 && words[length] === first[length])
  )
    length++;
  return length;
}

/** The words of a column without those that its row begins with as well. */
export function withoutPrefix(words: readonly string[], row: readonly string[]): string[] {
  let length = 0;
  while (length < words.length - 1 && words[length] === row[length]) length++;
  return words.slice(length);
}

/** What a kind of row is called in the definitions that ship, by a word of its name in the MIB. */
const areas: readonly (readonly [RegExp, string])[] = [
  [/^(cpu|processor)s?$/, 'cpu'],
  [/^(fan|fantray)s?$/, 'fan'],
  [/^(psu|powersupply|powersupplies)$/, 'supply'],
  [/^(temp|temperature|sensor|probe|humidity)s?$/, 'sensor'],
  [/^(mem|memory)$/, 'memory'],
  [/^outlets?$/, 'pdu.outlet'],
  [/^disks?$/, 'disk'],
  [/^sessions?$/, 'sessions'],
  [/^tunnels?$/, 'tunnels'],
  [/^radios?$/, 'radio'],
  [/^process$/, 'process'],
  [/^alarms?$/, 'alarm'],
];

/** The first step of the fields of a table: the area that its name says. */
export function areaOf(words: readonly string[]): string | undefined {
  if (/power_supply/.test(words.join('_'))) return 'supply';
  for (const word of words) {
    const area = areas.find(([pattern]) => pattern.test(word));
    if (area !== undefined) return area[1];
  }
  return undefined;
}

const vocabulary: Readonly<Record<string, string>> = {
  octets: 'bytes',
  pkts: 'packets',
  pkt: 'packets',
  ucast: 'unicast',
  mcast: 'multicast',
  bcast: 'broadcast',
  rx: 'in',
  recv: 'in',
  rcvd: 'in',
  received: 'in',
  tx: 'out',
  sent: 'out',
  xmit: 'out',
  transmitted: 'out',
  temp: 'temperature',
  util: 'utilization',
  descr: 'descr',
  desc: 'descr',
  errs: 'errors',
  discarded: 'discards',
  mem: 'memory',
  num: 'number',
  idx: 'index',
  cfg: 'config',
  conn: 'connections',
  avail: 'available',
};

/** A field below its root, from the general to the detail: `in unicast pkts` becomes `packets.unicast.in`. */
export function fieldOf(words: readonly string[]): string {
  const known = words
    .filter((word, at) => word !== 'hc' || words.length === 1 || at > 1)
    .map((word) => (Object.hasOwn(vocabulary, word) ? vocabulary[word]! : word));
  const all = known
    .join(' ')
    .replace(/\b(?:n unicast|nunicast)\b/, 'non_unicast')
    .replace(/\b(\d+) ?(s|m)(?:ecs?|ins?)\b/g, '$1$2')
    .split(' ');
  const [inner, last] = splitLast(all);
  return [...splitNoun(inner), ...last].map(toStep).join('.');
}

/** Directions, and which of two states it is, come last. */
function splitLast(words: readonly string[]): [inner: readonly string[], last: readonly string[]] {
  if (words.length < 2) return [words, []];
  for (const at of [words.length - 1, 0]) {
    if (/^(in|out)$/.test(words[at]!)) return [words.filter((_, place) => place !== at), [words[at]!]];
  }
  const [first, second] = words;
  if (words.length === 2 && /^(admin|oper)$/.test(first!) && /^(status|state)$/.test(second!))
    return [['status'], [first!]];
  return [words, []];
}

function splitNoun(words: readonly string[]): string[] {
  const noun = words.at(-1)!;
  const before = words.slice(0, -1);
  const isCast = before.length === 1 && /^(non_unicast|unicast|multicast|broadcast)$/.test(before[0]!);
  return isCast && /^(packets|bytes)$/.test(noun) ? [noun, before[0]!] : [words.join('_')];
}

/** A unit at the end is left out: it belongs to the syntax. */
function toStep(text: string): string {
  const short = text.replace(unitAtEnd, '');
  const step = unitAtEnd.test(short) || short === '' ? `${short}_value` : short;
  return step.replace(/^_+/, '').slice(0, 100);
}

const unitAtEnd =
  /_(bytes|bits|bps|ms|msec|sec|seconds|minutes|percent|pct|celsius|volts|amps|watts|hz|dbm)$/;
