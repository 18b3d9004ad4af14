import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MibNode } from '../../../authoring/mib/index.ts';
import { parseVarbind } from '../../../cli/trap/varbind-words.ts';

const plain = { resolve: (word: string) => word, format: () => '' };
const oid = '1.3.6.1.2.1.2.2.1.8.7';
/** What a MIB says about ifOperStatus. */
const withMib = {
  ...plain,
  resolve: () => oid,
  find: () => ({ type: 'Integer32', enums: { up: 1, down: 2 } }) as unknown as MibNode,
};

describe('the varbinds of a command line', () => {
  it('have the letters of net-snmp', () => {
    const cases: readonly (readonly [string, string, unknown])[] = [
      ['i:-7', 'Integer32', -7],
      ['u:4294967295', 'Gauge32', 4_294_967_295],
      ['c:1', 'Counter32', 1],
      ['C:18446744073709551615', 'Counter64', 18_446_744_073_709_551_615n],
      ['t:100', 'TimeTicks', 100],
      ['a:192.0.2.1', 'IpAddress', '192.0.2.1'],
      ['o:.1.3.6.1', 'ObjectIdentifier', '1.3.6.1'],
      ['s:a=b:c', 'OctetString', Buffer.from('a=b:c')],
      ['s:', 'OctetString', Buffer.alloc(0)],
      ['x:00ff', 'OctetString', Buffer.from([0, 255])],
    ];
    for (const [word, type, value] of cases)
      assert.deepEqual(parseVarbind(`.${oid}=${word}`, plain), { oid, type, value });
  });

  it('have the type that MIB files say, and the names of its numbers', () => {
    assert.deepEqual(parseVarbind('ifOperStatus.7=down', withMib), { oid, type: 'Integer32', value: 2 });
    assert.deepEqual(parseVarbind('ifOperStatus.7=1', withMib), { oid, type: 'Integer32', value: 1 });
  });

  it('that cannot be sent are refused', () => {
    for (const word of [
      '',
      '=',
      oid,
      `${oid}=7`,
      `${oid}=q:7`,
      `${oid}=i:x`,
      `${oid}=i:2147483648`,
      `${oid}=u:-1`,
      `${oid}=a:1.2.3`,
      `${oid}=C:18446744073709551616`,
      `${oid}=o:x`,
      'ifIndex.7=i:7',
    ])
      assert.throws(() => parseVarbind(word, plain), { code: 'TRAP_VARBIND_INVALID' }, word);
    assert.throws(() => parseVarbind('ifOperStatus.7=sideways', withMib), { code: 'TRAP_VARBIND_INVALID' });
  });
});
