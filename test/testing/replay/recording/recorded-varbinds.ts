import { BerReader } from '../../../../src/snmp/codec/ber-reader.ts';
import { OidTextCache } from '../../../../src/snmp/codec/oid-text-cache.ts';
import type { Varbind } from '../../../../src/snmp/codec/snmp-value.ts';
import { readVarbinds } from '../../../../src/snmp/codec/varbind-codec.ts';
import type { Recording } from '../../../../src/testing/replay/recording/recording.ts';

/** The varbinds of a recording, in its order, as the manager's own codec reads them. */
export function varbindsOf(recording: Recording): Varbind[] {
  const texts = new OidTextCache();
  return Array.from({ length: recording.size }, (_, position) => {
    const entry = recording.entries.subarray(recording.startOf(position), recording.endOf(position));
    const header = Buffer.of(0x30, 0x82, entry.length >> 8, entry.length & 0xff);
    const reader = new BerReader().open(Buffer.concat([header, entry]));
    const [varbind] = readVarbinds(reader, texts);
    if (varbind === undefined) throw new Error(`entry ${position} of ${recording.name}: ${reader.fault}`);
    return varbind;
  });
}
