import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import otlp from '../../../../plugins/outputs/otlp/index.ts';
import { checkPlugin, createTestBatch } from '../../../../src/testing/index.ts';
import { hostileStrings } from '../support/hostile-strings.ts';
import { type GivenAnswer, startHttpReceiver } from '../support/http-receiver.ts';
import { runOutput } from '../support/running-output.ts';
import { readExport } from './read-export.ts';

const slotMs = 1_700_000_000_000;
const minuteMs = 60_000;
const device = { name: 'router-1', ip: '192.0.2.1', port: 161 };

async function startSending(options = {}, answer: (count: number) => GivenAnswer | number = () => 200) {
  const receiver = await startHttpReceiver((_, count) => answer(count));
  const output = await runOutput(
    otlp,
    { url: `${receiver.url}/v1/metrics`, ...options },
    { env: { TOKEN: 'correct-horse' } },
  );
  return {
    output,
    deliver: output.deliver,
    requests: receiver.requests,
    points: () => receiver.requests.flatMap(readExport),
    async [Symbol.asyncDispose]() {
      await output[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

type Parts = NonNullable<Parameters<typeof createTestBatch>[0]>;

/** The poll of minute `minute`. */
const pollOf = (minute: number, rows: NonNullable<Parts['rows']>, parts: Parts = {}) =>
  createTestBatch({
    slotMs: slotMs + minute * minuteMs,
    timeMs: slotMs + minute * minuteMs,
    sequence: minute,
    rows,
    ...parts,
  });

const counterPolls = (values: readonly (bigint | undefined)[]) =>
  values.map((c, minute) =>
    pollOf(minute, [{ key: 'a', values: { g: minute, ...(c === undefined ? {} : { c }) } }]),
  );

/** Start and time of the points of a counter in minutes, and their values. */
const spans = (points: ReturnType<typeof readExport>) =>
  points
    .filter(({ name }) => name === 'c')
    .map(({ startMs, timeMs, value }) => [
      startMs === undefined ? undefined : (startMs - slotMs) / minuteMs,
      (timeMs - slotMs) / minuteMs,
      value === 'none' ? value : Number(value),
    ]);

describe('the otlp plugin', () => {
  it('keeps the contract', async () => {
    await checkPlugin(otlp, { options: { url: 'http://127.0.0.1:9/v1/metrics' } });
  });

  it('sends the same data as protobuf and JSON: one resource per device, sums, gauges and texts', async () => {
    const batch = createTestBatch({
      device,
      tags: { site: 'berlin', 'host.name': 'mine' },
      record: 'IF-MIB::ifEntry',
      slotMs,
      rows: [
        {
          labels: { 'netif.index': '1' },
          values: {
            'netif.in': 2n ** 63n - 1n,
            'netif.out': 2n ** 63n,
            temp: -1.5,
            up: true,
            t: 'x',
            l: ['a', 'b'],
          },
        },
        { labels: { 'netif.index': '2' }, values: { 'netif.in': 7n, up: false } },
      ],
    });
    const columns = batch.columns.map((column) =>
      column.field === 'temp' ? { ...column, unit: '°C' } : column,
    );
    const other = createTestBatch({ slotMs, device: { ...device, ip: '2001:db8::1' } });
    const read = [];
    for (const encoding of ['protobuf', 'json']) {
      await using sending = await startSending({ encoding });
      await sending.deliver({ ...batch, columns }, other);
      read.push(sending.points());
    }
    assert.deepEqual(read[0], read[1]);
    const points = read[0]!;
    assert.deepEqual(points[0]!.resource, {
      'service.name': 'snmp',
      'service.instance.id': '192.0.2.1:161',
      'host.name': 'router-1',
      'host.ip': ['192.0.2.1'],
      'server.address': '192.0.2.1',
      'server.port': 161,
      site: 'berlin',
      'host.name.2': 'mine',
    });
    assert.equal(points.at(-1)!.resource['service.instance.id'], '[2001:db8::1]:161');
    assert.deepEqual(
      points
        .slice(0, -1)
        .map(({ name, unit, sum, attributes, value }) => [name, unit, sum, attributes['netif.index'], value]),
      [
        ['netif.in', undefined, 'cumulative', '1', 2n ** 63n - 1n],
        ['netif.in', undefined, 'cumulative', '2', 7n],
        ['netif.out', undefined, 'cumulative', '1', 2 ** 63],
        ['temp', 'Cel', undefined, '1', -1.5],
        ['up', undefined, undefined, '1', 1n],
        ['up', undefined, undefined, '2', 0n],
        ['if-mib_ifentry.info', undefined, undefined, '1', 1],
      ],
    );
    assert.deepEqual(points.find(({ name }) => name.endsWith('.info'))!.attributes, {
      'snmp.object': 'IF-MIB::ifEntry',
      'netif.index': '1',
      t: 'x',
      l: ['a', 'b'],
    });
  });

  it('starts a counter with its first value, and again after a decrease', async () => {
    await using sending = await startSending();
    await sending.deliver(...counterPolls([10n, 20n, undefined, 5n, 6n, 2n ** 40n, 7n]));
    const values = spans(sending.points()).filter(([, , value]) => value !== 'none');
    assert.deepEqual(values, [
      [0, 0, 10],
      [0, 1, 20],
      [1, 3, 5],
      [1, 4, 6],
      [1, 5, 2 ** 40],
      [5, 6, 7],
    ]);
  });

  it('starts a counter with its agent, and again after a restart of the agent', async () => {
    await using sending = await startSending();
    const [first, second, third] = counterPolls([100n, 200n, 300n]);
    const startedMs = first!.timeMs - 10 * minuteMs;
    const restartedMs = third!.timeMs - 0.5 * minuteMs;
    await sending.deliver(
      { ...first!, startedMs },
      { ...second!, startedMs },
      { ...third!, startedMs: restartedMs },
    );
    assert.deepEqual(spans(sending.points()), [
      [-10, 0, 100],
      [-10, 1, 200],
      [1.5, 2, 300],
    ]);
  });

  it('sends increases with delta, and nothing for the first value or after a reset', async () => {
    await using sending = await startSending({ temporality: 'delta' });
    const polls = counterPolls([2n ** 60n, 2n ** 60n + 5n, undefined, 2n ** 60n + 9n, 3n, 4n]);
    await sending.deliver(...polls, polls.at(-1)!);
    const values = spans(sending.points()).filter(([, , value]) => value !== 'none');
    assert.deepEqual(values, [
      [0, 1, 5],
      [1, 3, 4],
      [4, 5, 1],
    ]);
  });

  it('keeps the counters of each row when rows are added and removed', async () => {
    await using sending = await startSending({ temporality: 'delta' });
    const rows = (values: Readonly<Record<string, bigint>>) =>
      Object.entries(values).map(([key, c]) => ({ key, labels: { i: key }, values: { c } }));
    await sending.deliver(pollOf(0, rows({ a: 1n, b: 100n })), pollOf(1, rows({ b: 105n, c: 1n, a: 4n })));
    const added = sending.points().map(({ attributes, value }) => [attributes['i'], value]);
    assert.deepEqual(added, [
      ['b', 5],
      ['a', 3],
    ]);
  });

  it('keeps start times when a batch is cut into requests', async () => {
    await using sending = await startSending({ max_request_values: 1 });
    const rowOf = (key: string, c: bigint) => ({ key, labels: { key }, values: { c } });
    await sending.deliver(
      pollOf(0, [rowOf('b', 1n)]),
      pollOf(1, [rowOf('a', 2n), rowOf('b', 3n)]),
      pollOf(2, [rowOf('a', 4n), rowOf('b', 5n)]),
    );
    assert.deepEqual(spans(sending.points()), [
      [0, 0, 1],
      [1, 1, 2],
      [0, 1, 3],
      [1, 2, 4],
      [0, 2, 5],
    ]);
  });

  it('flags ended series: missing values, and devices that go down', async () => {
    await using sending = await startSending();
    await sending.deliver(...counterPolls([1n, undefined]));
    assert.deepEqual(spans(sending.points()), [
      [0, 0, 1],
      [0, 1, 'none'],
    ]);
    const before = sending.requests.length;
    sending.output.collector.events.emit('device.state', {
      device,
      from: 'suspect',
      to: 'down',
      why: 'silence',
    });
    await sending.output.until(() => sending.requests.length > before);
    assert.deepEqual(
      sending.requests
        .slice(before)
        .flatMap(readExport)
        .map(({ name, value }) => [name, value]),
      [['g', 'none']],
    );
  });

  it('counts rejected points exactly, logs the reason, and does not send them again', async () => {
    const json = (rejected: unknown, reason: string): GivenAnswer => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ partialSuccess: { rejectedDataPoints: rejected, errorMessage: reason } }),
    });
    const protobuf = (body: Uint8Array): GivenAnswer => ({
      status: 200,
      headers: { 'content-type': 'application/x-protobuf' },
      body,
    });
    const said = Buffer.concat([Buffer.from([0x0a, 9, 0x08, 3, 0x12, 5]), Buffer.from('"a"\n!')]);
    const answers: GivenAnswer[] = [
      protobuf(said),
      json('4', `\u001b[2J\u0085\u202e${'x'.repeat(16_000)}`),
      json(0, 'a warning'),
      json(0, 'is correct-horse a token?'),
      json(1e300, 'all'),
      json('-1', ''),
      json('many', ''),
      protobuf(Buffer.from([0x0a, 200, 1])),
      { status: 200, body: '' },
    ];
    await using sending = await startSending({ token: '${env:TOKEN}' }, (count) => answers[count - 1]!);
    const rows = Array.from({ length: 5 }, (_, i) => ({ key: String(i), values: { g: i } }));
    const dropped: unknown[] = [];
    sending.output.collector.events.on('output.dropped', (event) => void dropped.push(event));
    for (const minute of answers.keys()) await sending.deliver(pollOf(minute, rows));
    assert.equal(sending.requests.length, answers.length);
    const { delivered, dropped: lost, refusedValues } = sending.output.counters;
    assert.deepEqual([delivered, lost, refusedValues], [8, 1, 7]);
    await sending.output.until(() => dropped.length > 0);
    assert.deepEqual(dropped, [{ output: 'otlp', batches: 1, values: 7, why: 'the output refused them' }]);
    const warnings = sending.output.collector.logLines.map((line) => JSON.stringify(line));
    const [first, second] = warnings.filter((line) => line.includes('The receiver rejected'));
    assert.match(first!, /rejected 3 of 5 points/);
    assert.match(second!, /rejected 4 of 5 points/);
    assert.ok(second!.length < 1_500, `a line of ${second!.length} characters`);
    assert.doesNotMatch(second!, /[\p{Cc}\p{Cf}]/u);
    assert.ok(warnings.some((line) => line.includes('a warning')));
    assert.doesNotMatch(warnings.join(), /correct-horse/);
  });

  it('retries as the protocol allows, waits for the right token, and drops data after a 500', async () => {
    const answers = [429, 502, 503, 504, 401, 403, 404, 200, 500, 200];
    await using sending = await startSending({}, (count) => answers[count - 1] ?? 200);
    for (const minute of [0, 1, 2]) await sending.deliver(pollOf(minute, [{ values: { g: minute } }]));
    const { delivered, retries, droppedBy } = sending.output.counters;
    assert.deepEqual([delivered, retries, droppedBy.refused], [2, 7, 1]);
    assert.equal(sending.requests.length, answers.length);
  });

  it('transfers hostile texts intact', async () => {
    const texts = Object.values(hostileStrings);
    for (const encoding of ['protobuf', 'json']) {
      await using sending = await startSending({ encoding });
      const asUtf8 = (text: string) => Buffer.from(text).toString();
      for (const text of texts) {
        const before = sending.requests.length;
        const rows = [{ labels: { name: text }, values: { v: 1, t: text } }];
        await sending.deliver(
          createTestBatch({ device: { ...device, name: text }, tags: { note: text }, rows }),
        );
        const [number, info] = sending.requests.slice(before).flatMap(readExport).slice(-2);
        assert.equal(number!.attributes['name'], asUtf8(text.slice(0, 1024)));
        assert.equal(info!.attributes['t'], asUtf8(text));
        assert.equal(info!.resource['host.name'], asUtf8(text));
        assert.equal(info!.resource['note'], asUtf8(text));
      }
    }
  });
});
