import { canonicalAddress } from '../../../model/device-address.ts';
import type { NameSuggester } from '../../../nearest-name.ts';
import type { RawDefinitions, RawDevice } from '../../schema/raw-definitions.ts';
import type { ReportSetProblem } from '../set-problem.ts';
import { type FilledDevice, findDeviceDefaults } from './device-filler.ts';

/** Checks devices with their defaults filled in, against their groups and against each other. */
export function checkDevices(
  raw: RawDefinitions,
  devices: ReadonlyMap<string, FilledDevice>,
  suggester: NameSuggester,
  report: ReportSetProblem,
): void {
  const defaults = findDeviceDefaults(raw);
  const namesByIdentity = new Map<string, string>();
  for (const [name, device] of raw.devices) {
    const values = devices.get(name)?.settings ?? device;
    const address = canonicalAddress(values.ip);
    if (address === undefined) {
      const advice = 'Write an IPv4 or IPv6 address, or a host name';
      report('error', ['devices', name, 'ip'], 'bad-address', `“${values.ip}” is not an address. ${advice}.`);
    } else {
      const identity = `${address} ${values.port}`;
      const other = namesByIdentity.get(identity);
      if (other === undefined) namesByIdentity.set(identity, name);
      else {
        const message = `The device “${other}” also has the address ${address} and port ${values.port}. Remove one of them, or change its port.`;
        report('error', ['devices', name, 'ip'], 'duplicate-device', message);
      }
    }
    checkCredentials(name, values, report);
    checkReferences(name, device, raw, suggester, report);
  }
  for (const type of Object.keys(defaults?.poll_intervals ?? {})) {
    const id = [...raw.deviceDefaults.keys()].at(-1) ?? '';
    if (!raw.objectTypes.has(type))
      reportUnknownType(['deviceDefaults', id, 'poll_intervals', type], type, raw, suggester, report);
  }
}

function checkCredentials(name: string, values: RawDevice, report: ReportSetProblem): void {
  const { version, communities = [], v3_credentials: users = [] } = values;
  if (version === undefined) {
    const message = `The device “${name}” has no version, and neither have the defaults. Add version: 1, 2c or 3.`;
    report('error', ['devices', name], 'missing-key', message);
    return;
  }
  const usesV3 = String(version) === '3';
  if ((usesV3 ? users : communities).length === 0) {
    const key = usesV3 ? 'v3_credentials' : 'communities';
    const message = `The device “${name}” has version ${version} but no ${key}, and neither have the defaults. Add them.`;
    report('error', ['devices', name], 'no-credentials', message);
    return;
  }
  if (!usesV3) return;
  for (const [index, user] of users.entries()) {
    const missing = findMissingPassphrase(user);
    if (missing === undefined) continue;
    const message = `The user “${user.username}” needs ${missing}. Add it, or change the protocol.`;
    report('error', ['devices', name, 'v3_credentials', index], 'no-credentials', message);
  }
}

export function findMissingPassphrase(
  user: NonNullable<RawDevice['v3_credentials']>[number],
): string | undefined {
  const authenticates = (user.authentication_protocol ?? 'noauth') !== 'noauth';
  const encrypts = (user.privacy_protocol ?? 'nopriv') !== 'nopriv';
  if (encrypts && !authenticates)
    return 'an authentication_protocol, because SNMPv3 does not encrypt without one';
  if (authenticates && user.authentication_passphrase === undefined && user.secret_key === undefined) {
    return 'an authentication_passphrase';
  }
  if (encrypts && user.privacy_passphrase === undefined && user.privacy_key === undefined) {
    return 'a privacy_passphrase';
  }
  return undefined;
}

function checkReferences(
  name: string,
  device: RawDevice,
  raw: RawDefinitions,
  suggester: NameSuggester,
  report: ReportSetProblem,
): void {
  for (const [index, group] of (device.device_groups ?? []).entries()) {
    if (raw.deviceGroups.has(group)) continue;
    const message = `There is no device group “${group}”; it is ignored.${suggester.suggest(group, raw.deviceGroups)}`;
    report('warning', ['devices', name, 'device_groups', index], 'unknown-reference', message);
  }
  for (const type of Object.keys(device.poll_intervals ?? {})) {
    if (!raw.objectTypes.has(type))
      reportUnknownType(['devices', name, 'poll_intervals', type], type, raw, suggester, report);
  }
}

function reportUnknownType(
  path: Parameters<ReportSetProblem>[1],
  type: string,
  raw: RawDefinitions,
  suggester: NameSuggester,
  report: ReportSetProblem,
): void {
  const message = `There is no object type “${type}”; it is ignored.${suggester.suggest(type, raw.objectTypes)}`;
  report('warning', path, 'unknown-reference', message);
}
