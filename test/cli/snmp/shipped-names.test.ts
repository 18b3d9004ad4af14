import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseNaming } from '../../../cli/snmp/naming.ts';
import { createShippedNames } from '../../../cli/snmp/shipped-names.ts';
import { loadShippedDefinitions } from '../../shipped/shipped.ts';

test('walk ifTable and get sysName.0 need no MIB files', async () => {
  const resolve = createShippedNames(loadShippedDefinitions().compiled);
  const known: Readonly<Record<string, string>> = {
    ifTable: '1.3.6.1.2.1.2.2',
    ifXTable: '1.3.6.1.2.1.31.1.1',
    'IF-MIB::ifEntry': '1.3.6.1.2.1.2.2.1',
    'IF-MIB::ifIndex.3': '1.3.6.1.2.1.2.2.1.1.3',
    'sysName.0': '1.3.6.1.2.1.1.5.0',
    system: '1.3.6.1.2.1.1',
    'SNMPv2-MIB::sysDescr.0': '1.3.6.1.2.1.1.1.0',
  };
  for (const [word, oid] of Object.entries(known)) assert.equal(resolve(word), oid, word);

  const unknown = { code: 'OID_NAME_UNKNOWN', message: /Did you mean "ifTable"\? .*--mibs/ };
  assert.throws(() => resolve('ifTabel'), unknown);
  assert.throws(() => resolve('IF-MIB::ifTabel'), { message: /Did you mean "IF-MIB::ifTable"\?/ });
  const naming = await chooseNaming({}, ['sysUpTime.0', '1.3.6.1.2']);
  assert.deepEqual(['sysUpTime.0', '1.3.6.1.2'].map(naming.resolve), ['1.3.6.1.2.1.1.3.0', '1.3.6.1.2']);
});
