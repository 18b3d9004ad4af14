import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import otlp from '../../../../plugins/outputs/otlp/index.ts';
import { createTestBatch } from '../../../../src/testing/index.ts';
import { hostileStrings } from '../support/hostile-strings.ts';
import { type GivenAnswer, startHttpReceiver } from '../support/http-receiver.ts';
import { runOutput } from '../support/running-output.ts';
import { readExport, readLogs } from './read-export.ts';

const slotMs = 1_700_000_000_000;

const trap = (sequence: number, parts: Partial<Parameters<typeof createTestBatch>[0]> = {}) =>
  createTestBatch({
    record: 'IF-MIB::linkDown',
    plan: 'waywiser::traps',
    kind: 'event',
    trapId: `01KB${sequence}`,
    slotMs,
    sequence,
    rows: [
      {
        key: `01KB${sequence}`,
        labels: { 'trap.severity': 'error', 'netif.name': 'Gi0/7' },
        values: {
          'trap.message': 'Gi0/7 is down',
          'trap.authenticated': false,
          'trap.uptime': 47_110,
          level: -1.5,
          big: 2n ** 64n - 1n,
          list: ['a'],
        },
      },
    ],
    ...parts,
  });

async function startSending(
  options = {},
  answer: (path: string, count: number) => GivenAnswer | number = () => 200,
) {
  const receiver = await startHttpReceiver(({ path }, count) => answer(path, count));
  const output = await runOutput(otlp, {
    url: `${receiver.url}/v1/metrics`,
    logs_url: `${receiver.url}/v1/logs`,
    ...options,
  });
  const requests = (path: string) => receiver.requests.filter((request) => request.path === path);
  return {
    output,
    deliver: output.deliver,
    logs: () => requests('/v1/logs').flatMap(readLogs),
    points: () => requests('/v1/metrics').flatMap(readExport),
    async [Symbol.asyncDispose]() {
      await output[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

describe('events as log records of OTLP', () => {
  it('are the same as protobuf and JSON, with severity, message and every value', async () => {
    for (const encoding of ['protobuf', 'json']) {
      await using sending = await startSending({ encoding });
      await sending.deliver(trap(1), createTestBatch({ slotMs }));
      assert.deepEqual(sending.logs(), [
        {
          host: 'router-1',
          timeMs: slotMs,
          observedMs: slotMs + 250,
          severity: [17, 'error'],
          body: 'Gi0/7 is down',
          event: 'IF-MIB::linkDown',
          attributes: {
            'snmp.row': '01KB1',
            trap_id: '01KB1',
            'trap.severity': 'error',
            'netif.name': 'Gi0/7',
            'trap.message': 'Gi0/7 is down',
            'trap.authenticated': false,
            'trap.uptime': 47_110,
            level: -1.5,
            big: '18446744073709551615',
            list: ['a'],
          },
        },
      ]);
      assert.deepEqual(
        sending.points().map(({ name }) => name),
        ['value'],
      );
    }
  });

  it('have a body and no severity when they are other events', async () => {
    await using sending = await startSending();
    await sending.deliver(
      trap(1, { record: 'waywiser::deviceState', trapId: undefined, rows: [{ values: { to: 'down' } }] }),
    );
    const [log] = sending.logs();
    assert.deepEqual([log!.body, log!.severity], ['waywiser::deviceState', undefined]);
  });

  it('keep any text of a device as text', async () => {
    for (const encoding of ['protobuf', 'json']) {
      await using sending = await startSending({ encoding });
      const texts = Object.values(hostileStrings);
      await sending.deliver(
        trap(1, { rows: texts.map((text, row) => ({ key: String(row), values: { text } })) }),
      );
      assert.deepEqual(
        sending.logs().map(({ attributes }) => attributes['text']),
        texts.map((text) => Buffer.from(text).toString()),
      );
    }
  });

  it('are not sent again when only the metrics of their group have to be', async () => {
    await using sending = await startSending({}, (path, count) =>
      path === '/v1/metrics' && count <= 3 ? 503 : 200,
    );
    await sending.deliver(trap(1), trap(2), createTestBatch({ slotMs }));
    assert.deepEqual(
      sending.logs().map(({ attributes }) => attributes['trap_id']),
      ['01KB1', '01KB2'],
    );
    assert.ok(sending.points().length >= 1);
  });

  it('count as dropped when the receiver refuses them, and the metrics of the group arrive', async () => {
    await using sending = await startSending({}, (path) => (path === '/v1/logs' ? 400 : 200));
    await sending.deliver(trap(1), createTestBatch({ slotMs }));
    assert.equal(sending.points().length, 1);
    assert.equal(sending.output.counters.droppedBy.refused, 1);
  });

  it('are not taken without logs_url', async () => {
    await using sending = await startSending({ logs_url: undefined });
    await sending.deliver(createTestBatch({ slotMs }));
    sending.output.push(trap(1));
    assert.equal(sending.output.counters.accepted, 1);
  });
});
