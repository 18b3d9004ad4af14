import type { ClientSession } from '../../snmp-client/service.ts';
import { codeOf } from '../reading/read-plan.ts';
import type { DeviceTools } from './device-tools.ts';
import { noteTime } from './note-time.ts';
import type { PolledDevice } from './polled-device.ts';
import { noteWay } from './way-notes.ts';

const sysObjectId = '1.3.6.1.2.1.1.2.0';
const sysUpTime = '1.3.6.1.2.1.1.3.0';

/** Asks a device that fell silent whether it is there, and whether it is the one it was. Never rejects. */
export async function probeDevice(
  subject: PolledDevice,
  withinMs: number,
  tools: DeviceTools,
): Promise<void> {
  const { device, inventory } = subject;
  let session: ClientSession | undefined;
  try {
    subject.readSecretsAgain();
    session = await subject.openSession();
    const signal = AbortSignal.timeout(Math.max(1, Math.floor(withinMs)));
    const [upTime, id] = await session.get([sysUpTime, sysObjectId], { signal });
    tools.reportContact(device, { answered: true });
    const isOther =
      id?.type === 'ObjectIdentifier' &&
      inventory?.sysObjectId !== undefined &&
      id.value !== inventory.sysObjectId;
    if (isOther) tools.requestDiscovery(device, 'changed');
    if (upTime?.type === 'TimeTicks') {
      noteTime(subject, { localMs: tools.clock.now(), upTicks: upTime.value, boots: undefined }, tools);
    }
  } catch (error) {
    const code = codeOf(error);
    if (code === 'SNMP_CLOSED') return;
    if (session !== undefined) noteWay(subject, session, code, tools);
    tools.reportContact(device, { answered: false, why: `a probe brought no reply (${code})` });
  }
}
