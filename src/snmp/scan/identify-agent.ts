import type { Oid } from '../../model/oid.ts';
import type { Varbind } from '../codec/snmp-value.ts';
import type { RequestOptions, SnmpSession } from '../session/snmp-session.ts';
import { SnmpError } from '../snmp-error.ts';

/** What an agent says of itself; any of it may be missing, and none of it is to be trusted. */
export interface AgentIdentity {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly sysObjectId: Oid | undefined;
}

const oids = {
  sysDescr: '1.3.6.1.2.1.1.1.0',
  sysObjectId: '1.3.6.1.2.1.1.2.0',
  sysName: '1.3.6.1.2.1.1.5.0',
};

/** Asks with one GET who is there. Rejects as `get` does when nobody answers. */
export async function identifyAgent(session: SnmpSession, options?: RequestOptions): Promise<AgentIdentity> {
  try {
    const [description, sysObjectId, name] = await session.get(Object.values(oids), options);
    return {
      name: textOf(name),
      description: textOf(description),
      sysObjectId: sysObjectId?.type === 'ObjectIdentifier' ? String(sysObjectId.value) : undefined,
    };
  } catch (error) {
    // An SNMPv1 agent refuses the whole question when it lacks one of them: it is there all the same.
    if (!(error instanceof SnmpError) || error.code !== 'SNMP_AGENT_ERROR') throw error;
    return { name: undefined, description: undefined, sysObjectId: undefined };
  }
}

const maxText = 80;

/** One line of printable text: whatever an agent says ends up in files, logs and on terminals. */
function textOf(varbind: Varbind | undefined): string | undefined {
  if (!Buffer.isBuffer(varbind?.value)) return undefined;
  const text = varbind.value
    .toString()
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  return text === '' ? undefined : text.slice(0, maxText);
}
