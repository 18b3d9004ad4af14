import { isIP } from 'node:net';
import { canonicalAddress } from '../../src/model/device-address.ts';
import { resolveTarget } from '../snmp/options/target-address.ts';
import type { ExistingConfiguration } from './existing-configuration.ts';

/** Devices by their address and port, as `identityOf` writes them. Host names are resolved; those that do not resolve are left out. */
export async function findIdentities(
  devices: ExistingConfiguration['devices'],
): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    [...devices].map(async ([name, { ip: host, port = 161 }]) => {
      if (isIP(host) !== 0) return [identityOf(host, port), name] as const;
      const resolved = await resolveTarget({ host, port, family: 0 }).catch(() => undefined);
      return resolved && ([identityOf(resolved.address, port), name] as const);
    }),
  );
  return new Map(found.filter((entry) => entry !== undefined));
}

export function identityOf(address: string, port: number): string {
  return `${canonicalAddress(address) ?? address} ${port}`;
}
