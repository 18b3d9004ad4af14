import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { imported, placesOf, readImported } from './support/imported.ts';

const telegraf = `
[[inputs.snmp]]
  name = "switches"
  agents = ["udp://192.0.2.1:1161", "192.0.2.1:1161", "tcp://192.0.2.2:161"]
  version = 3
  sec_name = "observer"
  sec_level = "authPriv"
  auth_protocol = "SHA256"
  auth_password = "long-password"
  priv_protocol = "AES"
  priv_password = "other-password"
  timeout = "1m30s"
  path = ["/usr/share/snmp/mibs"]
  [[inputs.snmp.field]]
    oid = ".1.3.6.1.4.1.63000.1.1.0"
    name = "load"
    conversion = "float(2)"
  [[inputs.snmp.field]]
    oid = "ACME-MIB::thing.0"
    name = "thing"
  [[inputs.snmp.table]]
    name = "interface"
    inherit_tags = ["source"]
    [[inputs.snmp.table.field]]
      oid = "IF-MIB::ifDescr"
      is_tag = true
    [[inputs.snmp.table.field]]
      oid = ".1.3.6.1.2.1.31.1.1.1.6"
      name = "ifHCInOctets"
  [[inputs.snmp.table]]
    oid = "IF-MIB::ifXTable"
[[outputs.file]]
  files = ["stdout"]
`;

describe('import telegraf', () => {
  it('makes groups of each input and devices of its agents', async (test) => {
    const { directory } = await imported(test, 'telegraf', { 'telegraf.conf': telegraf });
    const { raw, compiled, problems } = readImported(directory);
    deepEqual(problems, []);
    const device = raw.devices.get('192.0.2.1-1161')!;
    deepEqual(
      [device.ip, device.port, device.timeout, device.device_groups],
      ['192.0.2.1', 1161, 90_000, ['switches']],
    );
    const load = raw.objects.get('switches::loadScalars')?.attributes['load'];
    deepEqual(load?.scale, { factor: 0.01 });
    equal(compiled.objects.get('switches::ifHCInOctetsEntry')?.record, 'switches::interface');
    ok(!readFileSync(join(directory, 'devices/telegraf.yml'), 'utf8').includes('password"'));
    equal(readFileSync(join(directory, 'secrets/switches.privacy'), 'utf8'), 'other-password\n');
  });

  it('finds the names of RFC1213-MIB in the modules of today', async (test) => {
    const old = ['sysName.0', 'ifInOctets', 'ipInReceives.0', 'sysOdd.0']
      .map(
        (name) => `[[inputs.snmp.field]]\noid = "RFC1213-MIB::${name}"\nname = "${name.replace('.0', '')}"\n`,
      )
      .join('');
    const { directory, refused } = await imported(test, 'telegraf', {
      'telegraf.conf': `[[inputs.snmp]]\nname = "old"\nagents = ["192.0.2.1"]\n${old}`,
    });
    const { objects } = readImported(directory).raw;
    const oids = [...objects].flatMap(([id, { attributes }]) =>
      id.startsWith('old::') ? Object.values(attributes).map(({ oid }) => oid) : [],
    );
    deepEqual(oids.sort(), ['.1.3.6.1.2.1.1.5', '.1.3.6.1.2.1.2.2.1.10', '.1.3.6.1.2.1.4.3']);
    deepEqual(
      refused.map(({ what }) => what),
      ['RFC1213-MIB::sysOdd.0'],
    );
  });

  it('names what it refuses with its place', async (test) => {
    const { refused } = await imported(test, 'telegraf', { 'telegraf.conf': telegraf });
    deepEqual(placesOf(refused).sort(), [
      '13:3 path',
      '19:5 ACME-MIB::thing.0',
      '23:5 interface inherit_tags',
      '31:5 table',
      '32:1 outputs',
      '4:55 tcp://192.0.2.2:161',
    ]);
  });
});
