import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import {
  compileTable,
  createManager,
  createPollColumns,
  holdsValue,
  slotStatus,
} from '../../../src/snmp/index.ts';
import { startScriptedAgent, text } from '../support/scripted-agent.ts';
import { serveTable } from '../support/table-agent.ts';

const manager = createManager();
after(() => manager.close());
const entry = '1.3.6.1.2.1.2.2.1';
const rows = 400;
const valueOctets = 200;

it('a poll ends when its replies have more octets than allowed, and says so', async () => {
  const varbinds = Array.from({ length: rows }, (_, i) =>
    text(`${entry}.2.${i + 1}`, 'x'.repeat(valueOctets)),
  );
  await using agent = await startScriptedAgent((request) => [serveTable(varbinds, request)]);
  const community = { version: '2c', community: 'public' } as const;
  const session = manager.open({ address: '127.0.0.1', port: agent.port, ...community });
  const requests = compileTable({
    dialect: community,
    columns: [`${entry}.2`],
    instances: Array.from({ length: rows }, (_, i) => String(i + 1)),
    firstSlot: 0,
  });
  const columns = createPollColumns(rows);
  const limited = await session.poll(requests, columns, { maxBytes: 100 * valueOctets });
  assert.equal(limited.failure, 'SNMP_REPLY_BYTES');
  assert.ok(limited.values > 0 && limited.values < rows / 2, `${limited.values} values`);
  assert.equal(limited.values + limited.missing, rows);
  for (let row = 0; row < rows; row++) {
    const status = columns.status[row]!;
    assert.ok(row < limited.values ? holdsValue(status) : status === slotStatus.budget, `row ${row}`);
  }
  assert.equal(limited.replies, agent.requests.length, 'nothing was requested after the limit');

  const free = await session.poll(requests, createPollColumns(rows));
  assert.equal(free.values, rows);
  session.close();
});
