import type { Oid } from '../../model/oid.ts';
import type { Varbind } from '../codec/snmp-value.ts';
import { SnmpError } from '../snmp-error.ts';
import type { RequestOptions, SnmpSession } from './snmp-session.ts';

/** What an agent reports about itself. Any of it may be missing, and none of it can be trusted. */
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

/** Identifies an agent with one GET. Rejects as `get` does when nothing answers. */
export async function identifyAgent(session: SnmpSession, options?: RequestOptions): Promise<AgentIdentity> {
  try {
    const [description, sysObjectId, name] = await session.get(Object.values(oids), options);
    return {
      name: textOf(name),
      description: textOf(description),
      sysObjectId: sysObjectId?.type === 'ObjectIdentifier' ? String(sysObjectId.value) : undefined,
    };
  } catch (error) {
    // An SNMPv1 agent rejects the whole request when it lacks one of the objects: it exists nevertheless.
    if (!(error instanceof SnmpError) || error.code !== 'SNMP_AGENT_ERROR') throw error;
    return { name: undefined, description: undefined, sysObjectId: undefined };
  }
}

const maxText = 80;

/** One line of printable text: an agent's answers are shown in files, logs and terminals. */
function textOf(varbind: Varbind | undefined): string | undefined {
  if (!Buffer.isBuffer(varbind?.value)) return undefined;
  const text = varbind.value
    .toString()
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  return text === '' ? undefined : text.slice(0, maxText);
}
