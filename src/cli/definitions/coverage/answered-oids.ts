import { existsSync } from 'node:fs';
import type { Oid } from '../../../model/oid.ts';
import { berTag } from '../../../snmp/codec/ber-tag.ts';
import { decodeOid, encodeOid } from '../../../snmp/codec/oid-bytes.ts';
import type { SnmpType } from '../../../snmp/codec/snmp-value.ts';
import { loadRecording } from '../../../testing/index.ts';
import { readRecording } from '../../../testing/replay/recording/load-recording.ts';
import type { RequestOptions } from '../../snmp/options/request-options.ts';
import { warnOfPartial } from '../../snmp/output/partial-warning.ts';
import { withSession } from '../../snmp/session.ts';
import { TreeWalk } from '../../snmp/tree-walk.ts';

const sysObjectId = encodeOid('1.3.6.1.2.1.1.2.0')!;

/** Takes the content octets of an OID, and the tag of its value. Returns false when the OID is smaller than the one before. */
export interface OidReceiver {
  add(oid: Uint8Array, tag: number): boolean;
}

/** What was received, and the sysObjectID. */
export interface AnsweredOids<Receiver> {
  readonly received: Receiver;
  readonly sysObjectId: Oid | undefined;
}

/**
 * Gives a receiver all OIDs of a recording if `source` is a file, otherwise of the device at that address. Nothing else is kept. Only
 * a recording whose lines are not in order is read a second time, as a whole, for another receiver.
 */
export async function readAnsweredOids<Receiver extends OidReceiver>(
  source: string,
  options: RequestOptions,
  createReceiver: () => Receiver,
): Promise<AnsweredOids<Receiver>> {
  if (!existsSync(source)) return walkDevice(source, options, createReceiver());
  return (await streamRecorded(source, createReceiver())) ?? readSorted(source, createReceiver());
}

/** Undefined when the lines are not in the order of their OIDs. */
async function streamRecorded<Receiver extends OidReceiver>(
  path: string,
  received: Receiver,
): Promise<AnsweredOids<Receiver> | undefined> {
  let found: Oid | undefined;
  let isInOrder = true;
  await readRecording(path, {
    add(oid, tag, value) {
      isInOrder &&= received.add(oid, tag);
      if (sysObjectId.equals(oid) && value instanceof Uint8Array) found = decodeOid(value);
    },
  });
  return isInOrder ? { received, sysObjectId: found } : undefined;
}

async function readSorted<Receiver extends OidReceiver>(
  path: string,
  received: Receiver,
): Promise<AnsweredOids<Receiver>> {
  const recording = await loadRecording(path);
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
