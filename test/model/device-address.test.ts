import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isLoopback } from '../../src/model/device-address.ts';

it('recognises loopback addresses in every notation', () => {
  for (const host of [
    '127.0.0.1',
    '127.9.9.9',
    '::1',
    '0:0::1',
    '::ffff:127.0.0.1',
    'localhost',
    'LOCALHOST',
  ])
    assert.ok(isLoopback(host), host);
  const reachable = [
    '0.0.0.0',
    '::',
    '10.127.0.1',
    '127.example',
    '127.1',
    'localhost.example',
    '::1%eth0',
    '',
  ];
  for (const host of reachable) assert.ok(!isLoopback(host), host);
});
