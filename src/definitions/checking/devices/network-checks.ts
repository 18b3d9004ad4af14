import { parseNetwork } from '../../../model/address-range.ts';
import type { NameSuggester } from '../../../nearest-name.ts';
import type { RawDefinitions } from '../../schema/raw-definitions.ts';
import type { ReportSetProblem } from '../set-problem.ts';
import { findMissingPassphrase } from './device-checks.ts';

/** Checks the networks to scan and the device groups of sysObjectIDs. */
export function checkAutodiscovery(
  raw: RawDefinitions,
  suggester: NameSuggester,
  report: ReportSetProblem,
): void {
  for (const [id, { credentials, networks }] of raw.networks) {
    for (const [index, network] of networks.entries()) {
      if (parseNetwork(network) !== undefined) continue;
      const message = `“${network}” is not a network. Write it as 192.0.2.0/24 or 2001:db8::/64.`;
      report('error', ['networks', id, 'networks', index], 'bad-value', message);
    }
    for (const [index, { version, community, v3_credential: user }] of credentials.entries()) {
      const usesV3 = String(version) === '3';
      const missing = usesV3
        ? user === undefined
          ? 'a v3_credential'
          : findMissingPassphrase(user)
        : community === undefined
          ? 'a community'
          : undefined;
      if (missing === undefined) continue;
      const message = `A credential of version ${version} needs ${missing}. Add it.`;
      report('error', ['networks', id, 'credentials', index], 'no-credentials', message);
    }
  }
  for (const [id, { device_groups: groups = [] }] of raw.networks) {
    if (groups === 'by_sysobjectid') continue;
    for (const [index, group] of groups.entries()) {
      if (raw.deviceGroups.has(group)) continue;
      const message = `There is no device group “${group}”; it is ignored.${suggester.suggest(group, raw.deviceGroups)}`;
      report('warning', ['networks', id, 'device_groups', index], 'unknown-reference', message);
    }
  }
  for (const [oid, group] of raw.sysObjectIds) {
    if (raw.deviceGroups.has(group)) continue;
    const message = `There is no device group “${group}”; the entry is ignored.${suggester.suggest(group, raw.deviceGroups)}`;
    report('warning', ['sysObjectIds', oid], 'unknown-reference', message);
  }
}
