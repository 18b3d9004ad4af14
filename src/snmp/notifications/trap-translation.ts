import { isIPv4 } from 'node:net';
import type { Oid } from '../../model/oid.ts';
import type { Varbind } from '../codec/snmp-value.ts';
import type { Notification, TrapV1Fields } from './notification.ts';
import { enterpriseSpecific, type TrapV1Pdu } from './trap-v1-pdu.ts';

/** The instances that a notification has beside its own varbinds (RFC 3416 §4.2.6, RFC 3584 §3.1). */
const trapInstances = {
  sysUpTime: '1.3.6.1.2.1.1.3.0',
  snmpTrapOid: '1.3.6.1.6.3.1.1.4.1.0',
  snmpTrapEnterprise: '1.3.6.1.6.3.1.1.4.3.0',
  snmpTrapAddress: '1.3.6.1.6.3.18.1.3.0',
  snmpTrapCommunity: '1.3.6.1.6.3.18.1.4.0',
} as const;

/** The parent of coldStart, warmStart, linkDown, linkUp, authenticationFailure and egpNeighborLoss. */
const snmpTraps = '1.3.6.1.6.3.1.1.5';
const noAddress = '0.0.0.0';

/** The part of a notification that is the same in all versions. */
export type NotificationBody = Pick<
  Notification,
  'oid' | 'uptime' | 'varbinds' | 'agentAddress' | 'enterprise'
>;

/** RFC 3584 §3.1: what an SNMPv1 trap is in SNMPv2. */
export function fromTrapV1(trap: TrapV1Pdu): NotificationBody & { readonly v1: TrapV1Fields } {
  const { enterprise, generic, specific, agentAddress } = trap;
  const oid = generic === enterpriseSpecific ? `${enterprise}.0.${specific}` : `${snmpTraps}.${generic + 1}`;
  const body = splitVarbinds(trap.varbinds);
  return {
    oid,
    uptime: trap.uptime,
    varbinds: body.varbinds,
    agentAddress: agentAddress === noAddress ? body.agentAddress : agentAddress,
    enterprise,
    v1: { generic, specific },
  };
}

/** The same for the varbinds of an SNMPv2 notification. Undefined without snmpTrapOID.0. */
export function fromVarbinds(varbinds: readonly Varbind[]): NotificationBody | undefined {
  const { oid, ...body } = splitVarbinds(varbinds);
  return oid === undefined ? undefined : { oid, ...body };
}

/** RFC 3584 §3.2. Undefined when a varbind has a type that SNMPv1 does not have. */
export function toTrapV1(body: NotificationBody): TrapV1Pdu | undefined {
  if (body.varbinds.some(({ type }) => type === 'Counter64' || exceptions.has(type))) return undefined;
  const { oid, agentAddress } = body;
  const arcs = oid.split('.');
  const last = Number(arcs.pop());
  const parent = arcs.join('.');
  const isGeneric = parent === snmpTraps && last >= 1 && last <= 6;
  if (!isGeneric && arcs.at(-1) === '0') arcs.pop();
  return {
    enterprise: isGeneric ? (body.enterprise ?? snmpTraps) : arcs.join('.'),
    agentAddress: agentAddress !== undefined && isIPv4(agentAddress) ? agentAddress : noAddress,
    generic: isGeneric ? last - 1 : enterpriseSpecific,
    specific: isGeneric ? 0 : last,
    uptime: body.uptime ?? 0,
    varbinds: body.varbinds,
  };
}

/** The varbinds of an SNMPv2 notification, in the order that RFC 3416 §4.2.6 demands. */
export function toVarbinds(body: NotificationBody): Varbind[] {
  const { uptime = 0, oid, agentAddress, enterprise } = body;
  const all: Varbind[] = [
    { oid: trapInstances.sysUpTime, type: 'TimeTicks', value: uptime },
    { oid: trapInstances.snmpTrapOid, type: 'ObjectIdentifier', value: oid },
    ...body.varbinds,
  ];
  if (agentAddress !== undefined)
    all.push({ oid: trapInstances.snmpTrapAddress, type: 'IpAddress', value: agentAddress });
  if (enterprise !== undefined)
    all.push({ oid: trapInstances.snmpTrapEnterprise, type: 'ObjectIdentifier', value: enterprise });
  return all;
}

/**
 * The OIDs under which a notification may be defined: its own, then the one with the 0 before the last arc taken out or put in,
 * because MIBs and agents differ in it.
 */
export function listTrapOids(oid: Oid): readonly [Oid, Oid] {
  const last = oid.lastIndexOf('.');
  const parent = oid.slice(0, last);
  const arc = oid.slice(last);
  return [oid, parent.endsWith('.0') ? parent.slice(0, -2) + arc : `${parent}.0${arc}`];
}

const exceptions: ReadonlySet<string> = new Set(['noSuchObject', 'noSuchInstance', 'endOfMibView']);

/** Takes out what describes the notification itself. A community is a secret of someone else: it is never kept. */
function splitVarbinds(
  varbinds: readonly Varbind[],
): Omit<NotificationBody, 'oid'> & { oid: Oid | undefined } {
  const rest: Varbind[] = [];
  let oid: Oid | undefined;
  let uptime: number | undefined;
  let agentAddress: string | undefined;
  let enterprise: Oid | undefined;
  for (const varbind of varbinds) {
    const { oid: name, type, value } = varbind;
    if (name === trapInstances.snmpTrapOid && oid === undefined && type === 'ObjectIdentifier') oid = value;
    else if (name === trapInstances.sysUpTime && uptime === undefined && type === 'TimeTicks') uptime = value;
    else if (name === trapInstances.snmpTrapAddress && type === 'IpAddress') {
      if (value !== noAddress) agentAddress ??= value;
    } else if (name === trapInstances.snmpTrapEnterprise && type === 'ObjectIdentifier') enterprise ??= value;
    else if (name !== trapInstances.snmpTrapCommunity) rest.push(varbind);
  }
  return { oid, uptime, varbinds: rest, agentAddress, enterprise };
}
