import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import kafka from '../../../../plugins/outputs/kafka/index.ts';
import { createKafkaOutput } from '../../../../plugins/outputs/kafka/kafka-output.ts';
import { partitionHash } from '../../../../plugins/outputs/kafka/produce.ts';
import { checkPlugin, createTestBatch } from '../../../../src/testing/index.ts';
import { missingTool } from '../../../support/needs.ts';
import { makeCertificates } from '../support/certificates.ts';
import { assertConnectEnds } from '../support/connections/silent-server.ts';
import { checkTls } from '../support/connections/tls-checks.ts';
import { hostileStrings } from '../support/hostile-strings.ts';
import { missingPackage } from '../support/missing-package.ts';
import { assertStopsCleanly, runOutput, startFailure } from '../support/running-output.ts';
import { crc32c } from './record-batch.ts';
import { StrictBroker } from './strict-broker.ts';

const quickStall = { stall_after_ms: 0 };
const tooLarge = 10;
const forbidden = 29;

const deviceOf = (name: string) => ({ name, ip: '192.0.2.1', port: 161 });
const optionsFor = ({ port, topic }: StrictBroker, others = {}) => ({
  brokers: [`127.0.0.1:${port}`],
  topic,
  ...others,
});
const sequencesOf = (records: readonly { readonly value: Buffer }[]) =>
  records.map(({ value }) => JSON.parse(value.toString()).sequence as number);

describe('the kafka plugin', () => {
  it('is checked with the checksum of RFC 3720', () => {
    assert.equal(crc32c(Buffer.from('123456789')), 0xe306_9283);
    assert.equal(crc32c(Buffer.alloc(32)), 0x8a91_36aa);
  });

  it("hashes keys like Kafka's clients", () => {
    // From the tests of Kafka's Utils.murmur2; the sign is left out.
    const known = { '21': -973_932_308, foobar: -790_332_482, abc: 479_470_107 };
    for (const [key, hash] of Object.entries(known)) {
      assert.equal(partitionHash(Buffer.from(key)), hash & 0x7fff_ffff, key);
    }
    const long = 'lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8';
    assert.equal(partitionHash(Buffer.from(long)), -58_897_971 & 0x7fff_ffff);
  });

  it('keeps the contract', async () => {
    await checkPlugin(kafka, { options: { brokers: ['127.0.0.1:9'], topic: 't' } });
  });

  for (const compression of ['none', 'gzip']) {
    it(`puts the rows of a device into one partition, in order, compression ${compression}`, async () => {
      await using broker = await new StrictBroker().start();
      await using output = await runOutput(kafka, optionsFor(broker, { compression }));
      const batches = Array.from({ length: 60 }, (_, i) =>
        createTestBatch({
          device: deviceOf(`d${i % 6}`),
          sequence: i,
          timeMs: 1_700_000_000_000 + i,
          rows: [{ values: { c: 2n ** 64n - 1n } }, { values: { c: 1n } }],
        }),
      );
      await output.deliver(...batches.slice(0, 30));
      await output.deliver(...batches.slice(30));
      assert.deepEqual(broker.faults, []);
      assert.ok(broker.batches.every(({ isCompressed }) => isCompressed === (compression === 'gzip')));
      assert.ok(broker.stored.filter(({ length }) => length > 0).length > 1, 'more than one partition');
      for (let device = 0; device < 6; device++) {
        const places = broker.stored.map((records) =>
          records.filter(({ key }) => key.toString() === `d${device}`),
        );
        const [own, ...others] = places.filter(({ length }) => length > 0);
        assert.deepEqual(others, []);
        const expected = Array.from({ length: 10 }, (_, i) => device + 6 * i).flatMap((each) => [each, each]);
        assert.deepEqual(sequencesOf(own!), expected);
        assert.deepEqual(
          own!.map(({ timestampMs }) => timestampMs - 1_700_000_000_000),
          expected,
        );
        assert.match(own![0]!.value.toString(), /"c":18446744073709551615/);
      }
    });
  }

  it('transfers every hostile string intact, as key and as value', async () => {
    await using broker = await new StrictBroker().start();
    await using output = await runOutput(kafka, optionsFor(broker, { message: 'batch' }));
    const names = Object.values(hostileStrings);
    await output.deliver(...names.map((name) => createTestBatch({ device: deviceOf(name) })));
    await output.deliver(createTestBatch({ device: deviceOf('values'), rows: [{ values: hostileStrings }] }));
    assert.deepEqual(broker.faults, []);
    const records = broker.stored.flat();
    const values = records.find(({ key }) => key.toString() === 'values')!;
    assert.deepEqual({ ...JSON.parse(values.value.toString()).values }, { ...hostileStrings });
    assert.deepEqual(
      records.map(({ key }) => key.toString()).sort(),
      ['values', ...names.map((name) => Buffer.from(name).toString())].sort(),
    );
  });

  it('starts with another broker when one is down', async () => {
    await using broker = await new StrictBroker().start();
    const brokers = ['127.0.0.1:9', `127.0.0.1:${broker.port}`];
    await using output = await runOutput(kafka, optionsFor(broker, { brokers }));
    await output.deliver(createTestBatch());
    assert.equal(broker.stored.flat().length, 1);
    assert.equal(output.counters.retries, 0);
  });

  it('limits the size of requests', async () => {
    await using broker = await new StrictBroker().start();
    await using output = await runOutput(
      kafka,
      optionsFor(broker, { max_message_bytes: 50_000, compression: 'none' }),
    );
    const rows = Array.from({ length: 40 }, () => ({ values: { text: 'x'.repeat(5_000) } }));
    await output.deliver(createTestBatch({ rows }));
    assert.equal(broker.stored.flat().length, 40);
    assert.ok(broker.batches.length >= 5);
    for (const { records } of broker.batches) {
      assert.ok(records.reduce((sum, { value }) => sum + value.length, 0) < 50_000);
    }
  });

  it('loses nothing when the broker disappears or its answers are lost', async () => {
    await using broker = await new StrictBroker().start();
    await using output = await runOutput(kafka, optionsFor(broker), { delivery: { group_batches: 4 } });
    const batches = Array.from({ length: 24 }, (_, sequence) => createTestBatch({ sequence }));
    await output.deliver(batches[0]!);
    broker.mood.cutAnswers = 2;
    await output.deliver(...batches.slice(1, 12));
    await broker.stop();
    output.push(...batches.slice(12));
    await output.until(() => output.counters.retries > 4);
    await broker.start();
    await output.deliver();
    assert.deepEqual(broker.faults, []);
    const arrived = sequencesOf(broker.stored.flat());
    assert.deepEqual(
      [...new Set(arrived)].sort((a, b) => a - b),
      batches.map(({ sequence }) => sequence),
    );
    // Each lost answer makes at most its own group come twice.
    assert.ok(arrived.length <= 24 + 2 * 4, String(arrived.length));
    assert.deepEqual([output.counters.delivered, output.counters.dropped], [24, 0]);
  });

  it('stops although the broker hangs, when idle and during a write', async () => {
    for (const isWriting of [false, true]) {
      await using broker = await new StrictBroker().start();
      const output = await runOutput(kafka, optionsFor(broker));
      await output.deliver(createTestBatch());
      broker.mood.hangs = true;
      if (isWriting) output.push(createTestBatch({ sequence: 2 }));
      await assertStopsCleanly(output);
    }
  });

  it('does not throw outside of write when an attempt ends during a metadata request', async () => {
    class PausingBroker extends StrictBroker {
      pauseMs = 0;
      override metadata(...request: Parameters<StrictBroker['metadata']>): boolean {
        const end = performance.now() + this.pauseMs;
        // Holds the loop, so that the attempt is over when the answer is read.
        while (performance.now() < end);
        this.pauseMs = 0;
        return super.metadata(...request);
      }
    }
    await using broker = await new PausingBroker().start();
    broker.pauseMs = 400;
    await using output = await runOutput(kafka, optionsFor(broker), {
      delivery: { attempt_timeout_ms: 200 },
    });
    await output.deliver(createTestBatch());
    assert.equal(broker.stored.flat().length, 1);
    assert.ok(output.counters.retries > 0);
  });

  it('drops only the batch that the topic refuses for good', async () => {
    await using broker = await new StrictBroker().start();
    broker.mood.refuse = (records) => (records.some(({ value }) => value.includes('poison')) ? tooLarge : 0);
    await using output = await runOutput(kafka, optionsFor(broker, { max_message_bytes: 20_000 }));
    const batch = (sequence: number, text: string) =>
      createTestBatch({ sequence, rows: [{ values: { text } }] });
    await output.deliver(batch(1, 'a'), batch(2, 'poison'), batch(3, 'x'.repeat(30_000)), batch(4, 'b'));
    assert.deepEqual(sequencesOf(broker.stored.flat()), [1, 4]);
    assert.deepEqual([output.counters.delivered, output.counters.dropped], [2, 2]);
    assert.deepEqual(broker.faults, []);
  });

  it('reports a missing topic, a missing permission and a refused login, and waits', async () => {
    const login = 'me\0correct-horse';
    await using broker = await new StrictBroker({ login }).start();
    const user = { username: 'me', password: '${env:PASSWORD}', mechanism: 'PLAIN' };
    const env = { PASSWORD: 'correct-horse' };
    const stallOf = async (others: object, secrets: Readonly<Record<string, string>> = env) => {
      const settings = { env: secrets, delivery: quickStall };
      await using output = await runOutput(kafka, optionsFor(broker, { ...user, ...others }), settings);
      output.push(createTestBatch());
      await output.until(() => output.stalls.length > 0);
      assert.equal(output.counters.queued, 1);
      assert.doesNotMatch(output.logText, /horse/);
      return output.stalls[0]!;
    };
    assert.match(await stallOf({}, { PASSWORD: 'wrong-horse' }), /refused the login/);
    assert.match(await stallOf({ topic: 'other' }), /has no topic other/);
    broker.mood.refuse = () => forbidden;
    assert.match(await stallOf({}), /does not allow writing to topic snmp/);
    assert.match(await stallOf({ brokers: ['127.0.0.1:9'] }), /cannot be reached/);
    broker.mood.refuse = () => 0;
    await using output = await runOutput(kafka, optionsFor(broker, user), { env });
    await output.deliver(createTestBatch());
    assert.equal(broker.stored.flat().length, 1);
    assert.deepEqual(broker.faults, []);
  });

  it('uses its own authority and client certificate, and reads changed files', {
    skip: missingTool('openssl'),
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'waywiser-kafka-'));
    try {
      const certificates = makeCertificates(folder);
      const { ca, server } = certificates;
      const [cert, key] = [readFileSync(server.cert), readFileSync(server.key)];
      const tls = { cert, key, ca: readFileSync(ca), requestCert: true };
      await using broker = await new StrictBroker({ tls }).start();
      await checkTls({ plugin: kafka, options: optionsFor(broker), certificates });
      assert.equal(broker.stored.flat().length, 1);
      assert.deepEqual(broker.faults, []);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('stops a connection attempt to a silent broker', async () => {
    for (const others of [{}, { tls: {} }]) {
      await assertConnectEnds(kafka, (port) => ({ brokers: [`127.0.0.1:${port}`], topic: 't', ...others }));
    }
  });
});

describe('the kafka plugin without its package', () => {
  it('names the package to install', async () => {
    const without = createKafkaOutput(missingPackage('@platformatic/kafka'));
    const options = { brokers: ['127.0.0.1:9'], topic: 't' };
    assert.match(await startFailure(without, options), /npm install @platformatic\/kafka@1/);
  });
});
