import { compareOids, isUnderOid } from '../../../src/model/oid.ts';
import type { CommunityMessage } from '../../../src/snmp/codec/community-message.ts';
import type { Varbind } from '../../../src/snmp/codec/snmp-value.ts';
import { answer } from './scripted-agent.ts';

/** A correct agent's answer from the sorted `varbinds`: at most `most` varbinds per GETBULK. */
export function serveTable(varbinds: readonly Varbind[], request: CommunityMessage, most = 1000): Buffer {
  const { type, errorIndex: repetitions, varbinds: asked } = request.pdu;
  if (type === 'GetRequest') return serveGet(varbinds, request);
  const next = (oid: string): Varbind =>
    varbinds[findBehind(varbinds, oid)] ?? { oid, type: 'endOfMibView', value: null };
  const answers: Varbind[] = [];
  let row = asked.map((varbind) => varbind.oid);
  for (let i = 0; i < (type === 'GetBulkRequest' ? repetitions : 1) && answers.length < most; i++) {
    const found = row.map(next);
    answers.push(...found);
    row = found.map((varbind) => varbind.oid);
  }
  return answer(request, answers.slice(0, most));
}

/** The position of the first varbind behind `oid`. */
function findBehind(varbinds: readonly Varbind[], oid: string): number {
  let from = 0;
  let to = varbinds.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (compareOids(varbinds[middle]!.oid, oid) > 0) to = middle;
    else from = middle + 1;
  }
  return from;
}

function serveGet(varbinds: readonly Varbind[], request: CommunityMessage): Buffer {
  const asked = request.pdu.varbinds.map(({ oid }) => oid);
  const missing = asked.findIndex((oid) => varbinds.every((varbind) => varbind.oid !== oid));
  if (request.version === '1' && missing >= 0) {
    return answer(request, request.pdu.varbinds, { errorStatus: 2, errorIndex: missing + 1 });
  }
  return answer(
    request,
    asked.map(
      (oid) =>
        varbinds.find((varbind) => varbind.oid === oid) ?? {
          oid,
          type: varbinds.some((varbind) => isUnderOid(varbind.oid, oid.slice(0, oid.lastIndexOf('.'))))
            ? 'noSuchInstance'
            : 'noSuchObject',
          value: null,
        },
    ),
  );
}
