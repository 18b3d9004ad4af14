import type { MibNode } from '../../mib/index.ts';
import { wordsOf } from './field-words.ts';

/** A number without a unit: it identifies something, it counts things, or nobody can say. */
export function kindOfNumber(node: MibNode, isTable: boolean): 'identifier' | 'count' | undefined {
  const { name, type, typeName = '', description = '', hint } = node;
  const words = wordsOf(name);
  const noun = words.findLast((word) => !directions.test(word)) ?? words.at(-1)!;
  const text = description.slice(0, 600).replace(/\s+/g, ' ').replaceAll(name, 'object');
  const isCounted =
    /^(?:num|number|total)$/.test(words.at(-2) ?? '') ||
    words.slice(0, -1).some((word) => /^(?:num|count|cnt)$/.test(word)) ||
    countingStart.test(text) ||
    countedTypes.test(typeName);
  if (!isCounted && type !== 'Gauge32') {
    if ((isTable && identifiers.test(words.at(-1)!)) || references.test(words.at(-1)!)) return 'identifier';
    if (/\bbit ?-?(?:map|mask)\b/i.test(text.split(/\.\s/, 1)[0]!)) return 'identifier';
  }
  if (/^d-\d$/.test(hint ?? '')) return undefined;
  const isCertain =
    isCounted ||
    plainEnd.test(words.join(' ')) ||
    counted.test(noun) ||
    /^num(?:ber)?$/.test(words[0]!) ||
    /\bnumber ?of|\bin use$|table size$|\bevent count\b|\bprefix len(?:gth)?$/.test(words.join(' ')) ||
    /num(?:ber)?$/i.test(name);
  if (isCertain) return 'count';
  return words.includes('discrete') ? 'identifier' : undefined;
}

const identifiers =
  /^(?:index|idx|id|ifindex|vlan|number|slot|port|unit|instance|version|oid|tag|key|as|group|channel|label|vid|vci|vpi|spi|interface)$/;
const references =
  /^(?:reference|ref|rev|revision|addr|address|module|position|code|bitmap|flags?|mask|phase|bank|type|state|status|model|version|ver|source|id|port|polarity|ctrl|synchronization|redundancy|result|checksum|dscp|protocol|mode|enabled?|discrete)$/;
/** Only as the noun of a name: `maxFailures` counts, `failureDelay` and `errorRate` do not. */
const counted =
  /^(?:(?:num|count|start|session|user|client|connection|packet|pkt|error|err|request|req|peer|route|station|hit|drop|time|pole|meter|source|outlet|break|attempt|tunnel|cnt|frame|cell|failure|fail|discard|event|update|change|timeout|response|reject|conn|record|group|port|hop|alarm|violation|collision|init|neighbor|member|flow|call|message|msg|transition|reset|restart|instance|subscriber|host|vlan|card|slot)s|(?:entr|retr|polic|repl)ies|(?:process|miss|success|address)(?:es)?|num|count|cnt|packet|pkt|numberof|failed|dropped|cost|metric|weight|preference|prio|priority|precedence|stratum|seq|sequence|multiplier|coefficient|factor|scale|divisor|exponent|effectiveness|year|month|day)$/;
/** Levels of a list, and lengths of what has characters. */
const plainEnd =
  /\b(?:security|access|privilege|severity|log|logging|debug|verbosity|run|raid|patch) level$|\b(?:string|name|key|password|text) (?:max |min )?len(?:gth)?$/;
/** What a name says beside its noun: `sessionsMax`, `packetsInHc`. */
const directions =
  /^(?:in|out|rx|tx|received|recv|rcvd|sent|hc|64|total|max|maximum|min|minimum|peak|current|cur|active|used|free|available|accumulated|allowed|limit|\d+)$/;

const countedTypes = /^(?:ZeroBasedCounter\d*|Perf(?:Interval|Current|Total)Count|HCPerf\w+Count)$/;

/** "This object indicates the total number of ...", but no number of units, and not "the number of the slot". */
const countingStart = new RegExp(
  String.raw`^\W*(?:(?:this|the) (?:value of )?(?:object|attribute|variable|value|entry|item|oid|node)(?: \(\w+\))? )?` +
    `(?:(?:indicates|contains|specifies|represents|counts|shows|displays|gives|reports|provides|returns|is|records|denotes) )?` +
    `(?:the |a )?(?:(?:current|total|maximum|minimum|cumulative|actual|overall|accumulated) )*(?:number|count) of ` +
    String.raw`(?!(?:the|this|an?) )(?!(?:[\w-]+ )?(?:\d|bits?\b|bytes?|octets?|blocks?|units?\b|[kmgt]i?b(?:ytes?)?\b|kilo|mega|giga|m?secs?\b|milli|micro|nano|ticks?\b|hundred|tenth|thousand|seconds?|minutes|hours|days|times? (?:units?|slots?)|intervals|\d))`,
  'i',
);
