import type { RawDevice } from '../../src/definitions/index.ts';
import type { DeviceRef } from '../../src/index.ts';
import { canonicalAddress } from '../../src/model/index.ts';

/** The name, address and port of a device in the files. */
export function deviceRefOf(name: string, { ip, port = 161 }: RawDevice): DeviceRef {
  return { name, ip: canonicalAddress(ip) ?? ip, port };
}
