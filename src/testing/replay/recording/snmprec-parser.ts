import { encodeOidText, readShortNumber } from './decimal-text.ts';
import type { VarbindSink } from './recording-builder.ts';
import { excerpt, LineProblem, type RecordingParser } from './recording-parser.ts';
import { octetsOfEscapes, octetsOfHex, octetTags, valueOfText } from './value-text.ts';

const bar = 0x7c;
const hash = 0x23;

/**
 * Lines of `OID|TAG|VALUE`, as snmpsim reads them: blank lines and lines that start with `#` are skipped, white space at both
 * ends is removed, the value may contain more bars, and `0x` before it has no meaning. The tag is a number, followed by `x` for a
 * hexadecimal value or `e` for a value with escapes. The variation modules `numeric` and `writecache` keep their first value.
 */
export class SnmprecParser implements RecordingParser {
  readonly #sink: VarbindSink;

  constructor(sink: VarbindSink) {
    this.#sink = sink;
  }

  addLine(line: Buffer): void {
    let start = 0;
    let end = line.length;
    while (start < end && isSpace(line[start]!)) start++;
    while (end > start && isSpace(line[end - 1]!)) end--;
    if (start === end || line[start] === hash) return;

    const oidEnd = line.indexOf(bar, start);
    const tagEnd = oidEnd < 0 ? -1 : line.indexOf(bar, oidEnd + 1);
    if (tagEnd < 0 || tagEnd > end)
      throw new LineProblem('expected OID|TAG|VALUE; correct the line or remove it');
    const oid = encodeOidText(line, start, oidEnd);
    if (oid === undefined) {
      const text = line.toString('latin1', start, oidEnd);
      throw new LineProblem(`${excerpt(text)} is not an OID; write it in decimal`);
    }
    const value = line.subarray(tagEnd + 1, end);
    const plainTag =
      readShortNumber(line, oidEnd + 1, tagEnd) ?? Number(line.toString('latin1', oidEnd + 1, tagEnd));
    if (plainTag > 0) this.#sink.add(oid, plainTag, valueOfText(plainTag, value));
    else this.#addDecorated(oid, line.toString('latin1', oidEnd + 1, tagEnd), value);
  }

  finish(): void {}

  #addDecorated(oid: Buffer, tagText: string, value: Buffer): void {
    const [, number, encoding, module] = /^(\d+)(?:([xe])|:(\w+))$/.exec(tagText) ?? [];
    if (number === undefined)
      throw new LineProblem(
        `${excerpt(tagText)} is not a tag; write its number, and x behind it for hexadecimal octets`,
      );
    const tag = Number(number);
    if (module !== undefined) this.#sink.add(oid, tag, valueOfText(tag, firstValue(module, value)));
    else if (!octetTags.has(tag))
      throw new LineProblem(`a value of tag ${tag} is written in decimal, without ${encoding}`);
    else
      this.#sink.add(
        oid,
        tag,
        encoding === 'x' ? octetsOfHex(value.toString('latin1')) : octetsOfEscapes(value),
      );
  }
}

/** The first answer of a variation module of snmpsim: `initial=` (or `min=`) of numeric, `value=` of writecache. */
function firstValue(module: string, value: Buffer): Buffer {
  const settings = new Map(
    value
      .toString('latin1')
      .split(',')
      .map((setting) => setting.split('=', 2) as [string, string]),
  );
  if (module === 'writecache') {
    const hex = settings.get('hexvalue');
    return hex === undefined ? Buffer.from(settings.get('value') ?? '', 'latin1') : octetsOfHex(hex);
  }
  if (module !== 'numeric') {
    throw new LineProblem(
      `the variation module ${excerpt(module)} is not supported; give the line a plain value`,
    );
  }
  return Buffer.from(String(Math.trunc(Number(settings.get('initial') ?? settings.get('min') ?? 0))));
}

function isSpace(octet: number): boolean {
  return octet === 0x20 || (octet >= 0x09 && octet <= 0x0d) || (octet >= 0x1c && octet <= 0x1f);
}
