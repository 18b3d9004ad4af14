import { existsSync } from 'node:fs';
import type { Oid } from '../../../src/model/index.ts';
import type { SnmpType } from '../../../src/snmp/index.ts';
import { berTag, decodeOid, encodeOid } from '../../../src/snmp/index.ts';
import { loadRecording } from '../../../src/testing/index.ts';
import type { VarbindSink } from '../../../src/testing/internal.ts';
import { readRecording } from '../../../src/testing/internal.ts';
import { cliFailure } from '../../cli-errors.ts';
import type { RequestOptions } from '../../snmp/options/request-options.ts';
import { warnOfPartial } from '../../snmp/output/partial-warning.ts';
import { withSession } from '../../snmp/session.ts';
import { TreeWalk } from '../../snmp/tree-walk.ts';
import { colours } from '../../terminal/colours.ts';
import { counted, plainText } from '../../terminal/plain-text.ts';
import { recordingName } from './list-sources.ts';

const sysObjectId = encodeOid('1.3.6.1.2.1.1.2.0')!;

/** Takes the content octets of an OID, and the tag of its value. Returns false when the OID is smaller than the one before. */
export interface OidReceiver {
  add(oid: Uint8Array, tag: number): boolean;
}

/** What was received, and the sysObjectID. */
export interface AnsweredOids<Receiver> {
  readonly received: Receiver;
  readonly sysObjectId: Oid | undefined;
  /** Lines of a recording that are left out; undefined when all can be read. */
  readonly unreadable?: UnreadableLines;
}

export interface UnreadableLines {
  readonly lines: number;
  readonly first: readonly { readonly line: number; readonly problem: string }[];
}

/** Unreadable lines that are described. The others are counted. */
const describedLines = 5;

/**
 * Gives a receiver all OIDs of a recording if `source` is a file, otherwise of the device at that address. Nothing else is kept. Only
 * a recording whose lines are not in order is read a second time, as a whole, for another receiver. Lines that cannot be read are left out
 * with a warning.
 */
export async function readAnsweredOids<Receiver extends OidReceiver>(
  source: string,
  options: RequestOptions,
  createReceiver: () => Receiver,
): Promise<AnsweredOids<Receiver>> {
  if (!existsSync(source) && (recordingName.test(source) || source.includes('/')))
    throw cliFailure('RECORDING_MISSING', { file: source });
  if (!existsSync(source)) return walkDevice(source, options, createReceiver());
  const problems = new LineProblems();
  const streamed = await streamRecorded(source, createReceiver(), problems);
  const { unreadable } = problems;
  problems.warn(source);
  const answered = streamed ?? (await readSorted(source, createReceiver()));
  return unreadable === undefined ? answered : { ...answered, unreadable };
}

/** Counts the lines of a recording that cannot be read. */
class LineProblems {
  readonly #first: UnreadableLines['first'][number][] = [];
  #lines = 0;

  get unreadable(): UnreadableLines | undefined {
    return this.#lines === 0 ? undefined : { lines: this.#lines, first: this.#first };
  }

  add(line: number, problem: string): void {
    if (++this.#lines <= describedLines) this.#first.push({ line, problem });
  }

  /** Prints them to standard error. */
  warn(source: string): void {
    const warning = colours.yellow('warning:');
    for (const { line, problem } of this.#first)
      console.error(`${warning} ${source}:${line}: ${plainText(problem)}. The line is left out.`);
    const others = this.#lines - this.#first.length;
    if (others > 0)
      console.error(`${warning} ${source}: ${counted(others, 'more line')} cannot be read and are left out.`);
  }
}

/** Undefined when the lines are not in the order of their OIDs. */
async function streamRecorded<Receiver extends OidReceiver>(
  path: string,
  received: Receiver,
  problems: LineProblems,
): Promise<AnsweredOids<Receiver> | undefined> {
  let found: Oid | undefined;
  let isInOrder = true;
  const sink: VarbindSink = {
    add(oid, tag, value) {
      isInOrder &&= received.add(oid, tag);
      if (sysObjectId.equals(oid) && value instanceof Uint8Array) found = decodeOid(value);
    },
  };
  await readRecording(path, sink, (line, problem) => problems.add(line, problem));
  return isInOrder ? { received, sysObjectId: found } : undefined;
}

async function readSorted<Receiver extends OidReceiver>(
  path: string,
  received: Receiver,
): Promise<AnsweredOids<Receiver>> {
  const recording = await loadRecording(path, () => {});
  let found: Oid | undefined;
  for (let position = 0; position < recording.size; position++) {
    const valueAt = recording.oidEndOf(position);
    const oid = recording.entries.subarray(recording.oidStartOf(position), valueAt);
    received.add(oid, recording.entries[valueAt]!);
    // This value has fewer than 128 octets, so that its length is one octet.
    if (sysObjectId.equals(oid)) found = decodeOid(recording.entries, valueAt + 2, recording.endOf(position));
  }
  return { received, sysObjectId: found };
}

/** Of the types that a walk yields; the others are inside an Opaque. */
const tags: Partial<Record<SnmpType, number>> = {
  Integer32: berTag.integer,
  OctetString: berTag.octetString,
  Null: berTag.null,
  ObjectIdentifier: berTag.objectIdentifier,
  IpAddress: berTag.ipAddress,
  Counter32: berTag.counter32,
  Gauge32: berTag.gauge32,
  TimeTicks: berTag.timeTicks,
  NsapAddress: berTag.nsapAddress,
  Counter64: berTag.counter64,
  UInteger32: berTag.uInteger32,
};

function walkDevice<Receiver extends OidReceiver>(
  target: string,
  options: RequestOptions,
  received: Receiver,
): Promise<AnsweredOids<Receiver>> {
  return withSession(target, options, async (session) => {
    const tree = new TreeWalk(session, ['1']);
    let found: Oid | undefined;
    for await (const varbinds of tree) {
      for (const { oid, type, value } of varbinds) {
        const octets = encodeOid(oid)!;
        received.add(octets, tags[type] ?? berTag.opaque);
        if (sysObjectId.equals(octets) && type === 'ObjectIdentifier') found = String(value);
      }
    }
    warnOfPartial(tree.partial);
    return { received, sysObjectId: found };
  });
}
