import type { ClientSession } from '../../snmp-client/service.ts';
import { type DeviceState, detectRestart, recordPathStats } from './device-state.ts';
import type { DeviceTools } from './device-tools.ts';
import { codeOf } from './read-plan.ts';

const sysObjectId = '1.3.6.1.2.1.1.2.0';
const sysUpTime = '1.3.6.1.2.1.1.3.0';

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
    const [upTime, id] = await session.get([sysUpTime, sysObjectId], { signal });
    tools.reportContact(device, { answered: true });
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
