import type { Oid } from '../../../src/index.ts';
import { type AskedColumn, getAnswered } from '../../../src/snmp/internal.ts';
import type { ClientSession } from '../../snmp-client/service.ts';
import { type DeviceState, detectRestart, recordPathStats } from './device-state.ts';
import type { DeviceTools } from './device-tools.ts';
import { codeOf } from './read-plan.ts';

const sysObjectId = '1.3.6.1.2.1.1.2.0';
const sysUpTime = '1.3.6.1.2.1.1.3.0';

/** Some agents answer no request for one of the two: after a probe without an answer, the next one asks for less. */
const variants = [[sysUpTime, sysObjectId], [sysUpTime], [sysObjectId]] as const;

const asScalar = (oid: Oid): AskedColumn => ({ column: oid, oids: [oid] });

/** Asks a silent device whether it answers again, and whether it is still the same device. Never rejects. */
export async function probeDevice(
  state: DeviceState,
  openSession: () => Promise<ClientSession>,
  withinMs: number,
  tools: DeviceTools,
): Promise<void> {
  const { device, inventory } = state;
  let session: ClientSession | undefined;
  try {
    session = await openSession();
    const signal = AbortSignal.timeout(Math.max(1, Math.floor(withinMs)));
    const asked = variants[state.unansweredProbes % variants.length]!;
    state.unansweredProbes++;
    const varbinds = await session.get(asked, { signal });
    state.unansweredProbes = 0;
    tools.reportContact(device, { answered: true });
    // What an earlier probe asked for in vain; without it, a replaced device is not noticed.
    if (asked.length === 1) {
      const rest = variants[0].filter((oid) => oid !== asked[0]);
      varbinds.push(...(await getAnswered(session, [rest.map(asScalar)], { signal, aliveOid: asked[0] })));
    }
    const upTime = varbinds.find(({ oid }) => oid === sysUpTime);
    const id = varbinds.find(({ oid }) => oid === sysObjectId);
    const isOther =
      id?.type === 'ObjectIdentifier' &&
      inventory?.sysObjectId !== undefined &&
      id.value !== inventory.sysObjectId;
    if (isOther) tools.requestDiscovery(device, 'changed');
    if (upTime?.type === 'TimeTicks') {
      detectRestart(state, { localMs: tools.clock.now(), upTicks: upTime.value, boots: undefined }, tools);
    }
  } catch (error) {
    const code = codeOf(error);
    if (code === 'SNMP_CLOSED') return;
    if (session !== undefined) recordPathStats(state, session, code, tools);
    tools.reportContact(device, { answered: false, why: `a probe got no reply (${code})` });
  }
}
