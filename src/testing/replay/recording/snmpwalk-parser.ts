import { encodeOid } from '../../../snmp/codec/oid-bytes.ts';
import type { RecordingBuilder } from './recording-builder.ts';
import { excerpt, LineProblem, type RecordingParser } from './recording-parser.ts';
import { valueOfWalk } from './snmpwalk-value.ts';

/**
 * What `snmpwalk -On` prints, with or without MIBs for the values: `.1.3.6.1.2.1.1.3.0 = Timeticks: (5) 0:00:00.05`. Values
 * of several lines go on until their quote closes or the next OID starts. Lines without a value (no such object, end of MIB)
 * are left out.
 */
export class SnmpwalkParser implements RecordingParser {
  readonly #builder: RecordingBuilder;
  #oid: Buffer | undefined;
  #value = '';

  constructor(builder: RecordingBuilder) {
    this.#builder = builder;
  }

  addLine(line: Buffer): void {
    const text = line.toString('latin1');
    const [, oidText, value] = /^\.?(\d+(?:\.\d+)*) = ?(.*)$/s.exec(text) ?? [];
    if (oidText === undefined || (this.#oid !== undefined && hasOpenQuote(this.#value))) {
      if (this.#oid !== undefined) this.#value += `\n${text}`;
      else if (text.trim() !== '') throw new LineProblem(`expected .OID = TYPE: VALUE, not ${excerpt(text)}`);
      return;
    }
    this.finish();
    this.#oid = encodeOid(oidText);
    if (this.#oid === undefined)
      throw new LineProblem(`${excerpt(oidText)} is no OID; walk the agent with -On`);
    this.#value = value!;
  }

  finish(): void {
    const oid = this.#oid;
    if (oid === undefined) return;
    this.#oid = undefined;
    if (hasOpenQuote(this.#value)) throw new LineProblem('the quote of this value never closes');
    const value = this.#value.trim();
    if (withoutValue.test(value)) return;
    const { tag, content } = valueOfWalk(value);
    this.#builder.add(oid, tag, content);
  }
}

const withoutValue = /^(No Such (Object|Instance)|No more variables left in this MIB View)/;

function hasOpenQuote(value: string): boolean {
  const [, quoted] = /^(?:STRING: )?"(.*)$/s.exec(value) ?? [];
  return quoted !== undefined && !/^(?:[^\\]|\\.)*"\s*$/.test(quoted);
}
