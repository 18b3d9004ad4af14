import type { DeviceRef } from '../../../src/index.ts';
import { canonicalAddress, type RawDevice } from '../../../src/internal.ts';

/** The name and the identity of a device of the files. */
export function deviceRefOf(name: string, { ip, port = 161 }: RawDevice): DeviceRef {
  return { name, ip: canonicalAddress(ip) ?? ip, port };
}
