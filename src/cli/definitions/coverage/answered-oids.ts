import { existsSync } from 'node:fs';
import type { Oid } from '../../../model/oid.ts';
import { decodeOid } from '../../../snmp/codec/oid-bytes.ts';
import { loadRecording, type Recording } from '../../../testing/index.ts';
import type { RequestOptions } from '../../snmp/options/request-options.ts';
import { warnOfPartial } from '../../snmp/output/partial-warning.ts';
import { withSession } from '../../snmp/session.ts';
import { TreeWalk } from '../../snmp/tree-walk.ts';

/** All OIDs of a device, and its sysObjectID. */
export interface AnsweredOids {
  readonly oids: readonly Oid[];
  readonly sysObjectId: Oid | undefined;
}

const sysObjectId = '1.3.6.1.2.1.1.2.0';

/** Reads a recording if `source` is a file, otherwise the device at that address. */
export function readAnsweredOids(source: string, options: RequestOptions): Promise<AnsweredOids> {
  return existsSync(source) ? readRecorded(source) : walkDevice(source, options);
}

async function readRecorded(path: string): Promise<AnsweredOids> {
  const recording = await loadRecording(path);
  const oids: Oid[] = [];
  let found: Oid | undefined;
  for (let position = 0; position < recording.size; position++) {
    const oid = decodeOid(recording.entries, recording.oidStartOf(position), recording.oidEndOf(position));
    if (oid === undefined || oid === oids.at(-1)) continue;
    oids.push(oid);
    if (oid === sysObjectId) found = oidValueAt(recording, position);
  }
  return { oids, sysObjectId: found };
}

/** These OIDs have fewer than 128 octets, so that their length is one octet. */
function oidValueAt(recording: Recording, position: number): Oid | undefined {
  const valueAt = recording.oidEndOf(position);
  return decodeOid(recording.entries, valueAt + 2, recording.endOf(position));
}

function walkDevice(target: string, options: RequestOptions): Promise<AnsweredOids> {
  return withSession(target, options, async (session) => {
    const tree = new TreeWalk(session, ['1']);
    const oids: Oid[] = [];
    let found: Oid | undefined;
    for await (const varbinds of tree) {
      for (const { oid, type, value } of varbinds) {
        oids.push(oid);
        if (oid === sysObjectId && type === 'ObjectIdentifier') found = String(value);
      }
    }
    warnOfPartial(tree.partial);
    return { oids, sysObjectId: found };
  });
}
