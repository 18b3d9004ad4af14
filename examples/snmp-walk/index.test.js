import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createManager } from 'waywiser/snmp';
import { startReplayAgent } from 'waywiser/testing';
import { readTable } from './read-table.js';

const run = promisify(execFile);
const program = fileURLToPath(new URL('index.js', import.meta.url));
const recording = fileURLToPath(new URL('switch.snmprec', import.meta.url));
const manager = createManager();
let agent;

before(async () => {
  agent = await startReplayAgent({ recording });
});
after(async () => {
  manager.close();
  await agent.close();
});

it('reads a table, row by row', async () => {
  const { address, port } = agent;
  const session = manager.open({ version: '2c', address, port, community: 'public' });
  const rows = await readTable(session, { name: '1.3.6.1.2.1.31.1.1.1.1', in: '1.3.6.1.2.1.31.1.1.1.6' });
  assert.deepEqual([...rows.keys()], ['1', '2']);
  assert.equal(String(rows.get('1').name.value), 'ge-0/0/1');
  assert.deepEqual(rows.get('1').in, { type: 'Counter64', value: 18446744073709551615n });
});

it('prints the interfaces of a device', async () => {
  const { stdout } = await run(process.execPath, [program, agent.address, 'public', `${agent.port}`]);
  assert.match(stdout, /^switch\.example\.net$/m);
  assert.match(stdout, /'ge-0\/0\/1'.*true.*18446744073709551615n/);
  assert.match(stdout, /'ge-0\/0\/2'.*false/);
});

it('exits with 1 and the code of the error when the device does not answer', async () => {
  agent.set({ isSilent: true });
  const failed = await run(process.execPath, [program, agent.address, 'public', `${agent.port}`]).then(
    () => undefined,
    (error) => error,
  );
  agent.set({ isSilent: false });
  assert.equal(failed?.code, 1);
  assert.match(failed.stderr, /^SNMP_TIMEOUT: /);
});
