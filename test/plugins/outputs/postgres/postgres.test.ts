import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Client } from 'pg';
import postgres from '../../../../plugins/outputs/postgres/index.ts';
import { createPostgresOutput } from '../../../../plugins/outputs/postgres/postgres-output.ts';
import { checkPlugin, createTestBatch } from '../../../../src/testing/index.ts';
import { missingTool } from '../../../support/needs.ts';
import { assertConnectEnds } from '../support/connections/silent-server.ts';
import { startStallingProxy } from '../support/connections/stalling-proxy.ts';
import { checkTls } from '../support/connections/tls-checks.ts';
import { hostileStrings } from '../support/hostile-strings.ts';
import { missingPackage } from '../support/missing-package.ts';
import { assertStopsCleanly, runOutput, startFailure } from '../support/running-output.ts';
import { adminPassword, connectAdmin, type RealPostgres, startRealPostgres } from './real-postgres.ts';

const env = { PASSWORD: adminPassword };
const quickStall = { stall_after_ms: 0 };

describe('the postgres plugin', { skip: missingTool('pg_ctlcluster') || missingTool('openssl') }, () => {
  let server: RealPostgres;
  let reader: Client;
  let login: Readonly<Record<string, unknown>>;

  before(async () => {
    server = await startRealPostgres();
    login = { port: server.port, database: 'postgres', username: 'admin', password: '${env:PASSWORD}' };
    reader = await connectAdmin(server);
  });

  after(async () => {
    await reader?.end().catch(() => {});
    await server?.[Symbol.asyncDispose]();
  });

  const read = async (sql: string) => (await reader.query(sql)).rows;

  it('keeps the contract', async () => {
    await checkPlugin(postgres, { options: { port: 9, database: 'none', username: 'nobody' } });
  });

  it('creates a table for the record, with one column per field and label', async () => {
    await using output = await runOutput(postgres, login, { env });
    const values = {
      'netif.bytes.in': 2n ** 64n - 1n,
      'netif.speed': 1.5,
      'netif.oper.isUp': true,
      'netif.alias': 'up"link',
      'netif.flags': ['a', 'b,"c'],
    };
    const rows = [
      { labels: { 'netif.index': '1' }, values },
      { labels: { 'netif.index': '2' }, values: {} },
    ];
    await output.deliver(createTestBatch({ record: 'IF-MIB::ifEntry', tags: { site: "b'n" }, rows }));
    const [first, second] = await read('SELECT * FROM if_mib_if_entry ORDER BY instance');
    assert.deepEqual(
      { ...first, slot: first.slot.toISOString(), time: first.time.toISOString() },
      {
        slot: '2023-11-14T22:13:20.000Z',
        time: '2023-11-14T22:13:20.250Z',
        device: 'router-1',
        ip: '192.0.2.1',
        port: 161,
        plan: 'TEST-MIB::testEntry@60',
        instance: '1',
        sequence: '1',
        generation: '1',
        tags: { site: "b'n" },
        netif_index: '1',
        netif_bytes_in: '18446744073709551615',
        netif_speed: 1.5,
        netif_oper_is_up: true,
        netif_alias: 'up"link',
        netif_flags: ['a', 'b,"c'],
      },
    );
    assert.equal(second.netif_bytes_in, null);
  });

  it('drops what a former owner read after the first reading of the present one, and nothing else', async () => {
    await using former = await runOutput(postgres, login, { env });
    await using present = await runOutput(postgres, login, { env });
    const reading = (epoch: number, second: number, ip = '192.0.2.7') =>
      createTestBatch({
        record: 'TEST-MIB::owned',
        device: { name: `device-${ip}`, ip, port: 161 },
        shard: 7,
        epoch,
        timeMs: second * 1_000,
        slotMs: second * 1_000,
        rows: [{ labels: {}, values: { 'owned.value': epoch } }],
      });
    await former.deliver(reading(4, 10), reading(4, 20, '192.0.2.8'));
    await present.deliver(reading(5, 30), reading(5, 40));
    // Its queue was on the disk, or it was suspended.
    await former.deliver(reading(4, 20), reading(4, 30), reading(4, 50), reading(4, 50, '192.0.2.8'));
    await present.deliver(reading(5, 60));
    // etcd has lost its data, and epochs have begun again.
    for (const second of [330, 361, 370]) await former.deliver(reading(2, second));
    const rows = await read(
      `SELECT extract(epoch FROM slot)::integer AS at, owned_value AS epoch FROM test_mib_owned WHERE ip = '192.0.2.7' ORDER BY slot`,
    );
    assert.deepEqual(
      rows.map(({ at, epoch }) => [at, epoch]),
      [
        [10, 4],
        [20, 4],
        [30, 5],
        [40, 5],
        [60, 5],
        [361, 2],
        [370, 2],
      ],
    );
    const others = await read(`SELECT count(*)::integer AS count FROM test_mib_owned WHERE ip = '192.0.2.8'`);
    assert.equal(others[0].count, 2);
    const { delivered, droppedBy } = former.counters;
    assert.deepEqual([delivered, droppedBy.fenced, droppedBy.refused], [6, 3, 0]);
    assert.equal(present.counters.droppedBy.fenced, 0);
    assert.doesNotMatch(former.logText, /refused/);
  });

  it('has a table for each notification with the column trap_id, which polls that it caused have too', async () => {
    await using output = await runOutput(postgres, login, { env });
    const rows = [{ key: '01KB1' }, { key: '01KB1.2' }].map((row) => ({ ...row, values: { level: 1 } }));
    const record = 'T-MIB::tDown';
    await output.deliver(
      createTestBatch({ record, kind: 'event', trapId: '01KB1', sequence: 1, rows }),
      createTestBatch({ record: 'T-MIB::tEntry', sequence: 2 }),
      createTestBatch({ record: 'T-MIB::tEntry', slotMs: 1_700_000_060_000, trapId: '01KB1', sequence: 3 }),
    );
    assert.deepEqual(await read('SELECT instance, trap_id FROM t_mib_t_down ORDER BY instance'), [
      { instance: '01KB1', trap_id: '01KB1' },
      { instance: '01KB1.2', trap_id: '01KB1' },
    ]);
    assert.deepEqual(await read('SELECT trap_id FROM t_mib_t_entry ORDER BY slot'), [
      { trap_id: null },
      { trap_id: '01KB1' },
    ]);
  });

  it('adds columns for new fields, and separate ones for duplicate names and changed kinds', async () => {
    const record = 'W-MIB::w';
    const write = async (values: Readonly<Record<string, string | number>>, sequence: number) => {
      await using output = await runOutput(postgres, login, { env });
      await output.deliver(
        createTestBatch({ record, sequence, slotMs: sequence * 1000, rows: [{ values }] }),
      );
    };
    await write({ 'a.b': 1 }, 1);
    await write({ 'a.b': 2, 'a-b': 3, time: 4 }, 2);
    await write({ 'a.b': 'text', 'a-b': 5 }, 3);
    const rows = await read('SELECT a_b, a_b_number, a_b_text, time_number FROM w_mib_w ORDER BY slot');
    assert.deepEqual(rows, [
      { a_b: 1, a_b_number: null, a_b_text: null, time_number: null },
      { a_b: 2, a_b_number: 3, a_b_text: null, time_number: 4 },
      { a_b: null, a_b_number: 5, a_b_text: 'text', time_number: null },
    ]);
  });

  it('stores every digit of a counter, every kind of number, and gaps as null', async () => {
    await using output = await runOutput(postgres, login, { env });
    const counters = [
      0n,
      9_999n,
      10_000n,
      2n ** 32n,
      10n ** 12n,
      2n ** 53n - 1n,
      2n ** 53n + 1n,
      2n ** 64n - 1n,
    ];
    const numbers = [0, -1.5, 1e300, 5e-324, Number.NaN, Number.POSITIVE_INFINITY, -0, 2 ** 53];
    const rows = counters.map((c, i) => ({ values: { c, n: numbers[i]! } }));
    const few = { record: 'E-MIB::e', slotMs: 1, rows: [{ key: 'none', values: { other: 1 } }] };
    await output.deliver(createTestBatch(few), createTestBatch({ record: 'E-MIB::e', rows }));
    const found = await read(`SELECT c::text, n FROM e_mib_e WHERE instance <> 'none' ORDER BY e_mib_e.c`);
    assert.deepEqual(
      found,
      counters.map((c, i) => ({ c: String(c), n: numbers[i] })),
    );
    assert.deepEqual(await read(`SELECT c, n, other FROM e_mib_e WHERE instance = 'none'`), [
      { c: null, n: null, other: 1 },
    ]);
  });

  it('drops only repeated rows', async () => {
    await using output = await runOutput(postgres, login, { env });
    const record = 'D-MIB::d';
    const rows = [{ values: { v: 1 } }, { values: { v: 2 } }];
    const batch = createTestBatch({ record, rows });
    const others = [{ plan: 'other' }, { slotMs: 5 }, { device: { name: 'x', ip: '::1', port: 1 } }];
    await output.deliver(batch, batch, ...others.map((part) => createTestBatch({ record, rows, ...part })));
    await output.deliver(batch);
    assert.deepEqual(await read('SELECT count(*)::int AS rows FROM d_mib_d'), [{ rows: 8 }]);
    assert.equal(output.counters.delivered, 6);
  });

  it('stores every hostile string in values, labels, tags, and names of fields and records', async () => {
    await using output = await runOutput(postgres, login, { env });
    const what = Object.keys(hostileStrings);
    const rows = what.map((key) => ({
      key,
      labels: { label: hostileStrings[key]! },
      values: { text: hostileStrings[key]!, list: [hostileStrings[key]!] },
    }));
    const { '64 KiB': _, ...tags } = hostileStrings;
    await output.deliver(createTestBatch({ record: 'H-MIB::h', tags, rows }));
    const held = (text: string) => text.replace(/[\0\p{Surrogate}]/gu, '\uFFFD');
    const found = await read('SELECT instance, label, text, list, tags FROM h_mib_h');
    assert.equal(found.length, what.length);
    for (const { instance, label, text, list, tags: kept } of found) {
      const expected = held(hostileStrings[instance]!);
      assert.deepEqual({ label, text, list }, { label: expected, text: expected, list: [expected] });
      assert.deepEqual(kept, Object.fromEntries(Object.entries(tags).map(([k, v]) => [k, held(v)])));
    }
    const before = (await read('SELECT count(*)::int AS n FROM pg_class'))[0].n;
    const named = Object.values(hostileStrings).map((name) =>
      createTestBatch({ record: name, rows: [{ values: { [name]: 1 } }] }),
    );
    await output.deliver(...named);
    assert.equal(output.counters.dropped, 0, output.logText);
    assert.ok((await read('SELECT count(*)::int AS n FROM pg_class'))[0].n > before);
  });

  it('drops only the batch that the database refuses', async () => {
    await using output = await runOutput(postgres, login, { env });
    const batch = (v: number) =>
      createTestBatch({ record: 'C-MIB::c', slotMs: v, rows: [{ values: { v } }] });
    await output.deliver(batch(1));
    await read('ALTER TABLE c_mib_c ADD CHECK (v < 100)');
    await output.deliver(batch(2), batch(200), batch(3));
    assert.deepEqual([output.counters.delivered, output.counters.dropped], [3, 1]);
    assert.deepEqual(await read('SELECT v FROM c_mib_c ORDER BY v'), [{ v: 1 }, { v: 2 }, { v: 3 }]);
  });

  it('creates a dropped table again', async () => {
    await using output = await runOutput(postgres, login, { env });
    const batch = (slotMs: number) => createTestBatch({ record: 'G-MIB::g', slotMs });
    await output.deliver(batch(1));
    await read('DROP TABLE g_mib_g');
    await output.deliver(batch(2));
    assert.deepEqual(await read('SELECT value FROM g_mib_g'), [{ value: 1 }]);
  });

  it('lets two collectors create the same table at the same time', async () => {
    const rows = [{ values: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}`, i])) }];
    await using first = await runOutput(postgres, login, { env });
    await using second = await runOutput(postgres, login, { env });
    await Promise.all(
      [first, second].map((output, slotMs) =>
        output.deliver(createTestBatch({ record: 'T-MIB::t', slotMs, rows })),
      ),
    );
    assert.deepEqual(await read('SELECT f0, f39 FROM t_mib_t'), [
      { f0: 0, f39: 39 },
      { f0: 0, f39: 39 },
    ]);
  });

  it('creates hypertables with Timescale in a separate schema', async () => {
    // Timescale is not in Debian: the test puts its name into the catalogue, and a function of the same signature.
    await read(`CREATE SCHEMA scales;
      CREATE TABLE scales.made (relation regclass, "column" name);
      CREATE FUNCTION scales.create_hypertable(relation regclass, time_column_name name, if_not_exists boolean = false)
      RETURNS void LANGUAGE sql AS 'INSERT INTO scales.made VALUES (relation, time_column_name)';
      INSERT INTO pg_extension SELECT 99999, 'timescaledb', 10, 'scales'::regnamespace, false, '2', NULL, NULL`);
    try {
      await using output = await runOutput(postgres, { ...login, schema: 'Snmp "x"' }, { env });
      await output.deliver(createTestBatch({ record: 'S-MIB::s' }));
      assert.deepEqual(await read('SELECT relation::text, "column" FROM scales.made'), [
        { relation: '"Snmp ""x"""."s_mib_s"'.replace('"s_mib_s"', 's_mib_s'), column: 'slot' },
      ]);
    } finally {
      await read("DELETE FROM pg_extension WHERE extname = 'timescaledb'");
    }
  });

  it('stops although the server no longer answers', async () => {
    await using proxy = await startStallingProxy(server.port);
    const output = await runOutput(postgres, { ...login, port: proxy.port }, { env });
    await output.deliver(createTestBatch());
    proxy.stall();
    await assertStopsCleanly(output);
  });

  it('stops although the server hangs during a write', async () => {
    await using proxy = await startStallingProxy(server.port);
    const output = await runOutput(postgres, { ...login, port: proxy.port }, { env });
    await output.deliver(createTestBatch());
    proxy.stall();
    output.push(createTestBatch({ sequence: 2, slotMs: 2 }));
    await assertStopsCleanly(output);
    assert.equal(output.logText.includes('did not stop'), false);
  });

  it('reports a refused login, a missing database and a missing permission, and waits', async () => {
    await read(`CREATE USER limited PASSWORD '${adminPassword}'`);
    const wrong: [Readonly<Record<string, unknown>>, RegExp][] = [
      [{ password: '${env:WRONG}' }, /refused the login/],
      [{ database: 'nowhere' }, /has no database nowhere/],
      [{ username: 'limited' }, /does not allow writing to schema public/],
      [{ port: 9 }, /cannot be reached/],
    ];
    for (const [options, expected] of wrong) {
      const settings = { env: { ...env, WRONG: 'wrong-horse' }, delivery: quickStall };
      await using output = await runOutput(postgres, { ...login, ...options }, settings);
      output.push(createTestBatch({ record: 'N-MIB::n' }));
      await output.until(() => output.stalls.length > 0);
      assert.match(output.stalls[0]!, expected);
      assert.equal(output.counters.queued, 1);
      assert.doesNotMatch(output.logText, /horse/);
    }
  });

  it('uses its own authority and client certificate, and reads changed files', async () => {
    await read(`CREATE USER certified SUPERUSER PASSWORD '${adminPassword}'`);
    await checkTls({
      plugin: postgres,
      options: { ...login, username: 'certified' },
      env,
      certificates: server.certificates,
      withoutCertificate: /refused the login/,
    });
  });

  it('stops a connection attempt to a silent server', async () => {
    for (const others of [{}, { tls: {} }]) {
      await assertConnectEnds(postgres, (port) => ({ port, database: 'd', username: 'u', ...others }));
    }
  });

  it('loses and repeats nothing when the server stops during a write', async () => {
    await using output = await runOutput(postgres, login, { env, delivery: { group_batches: 2 } });
    const batch = (slotMs: number) => createTestBatch({ record: 'K-MIB::k', slotMs });
    await output.deliver(batch(0));
    output.push(...Array.from({ length: 10 }, (_, i) => batch(i + 1)));
    await reader.end();
    await server.kill();
    output.push(...Array.from({ length: 10 }, (_, i) => batch(i + 11)));
    await output.until(() => output.counters.retries > 0);
    await server.start();
    await output.deliver();
    reader = await connectAdmin(server);
    assert.deepEqual(await read('SELECT count(*)::int AS rows FROM k_mib_k'), [{ rows: 21 }]);
    assert.deepEqual([output.counters.delivered, output.counters.dropped], [21, 0]);
  });
});

describe('the postgres plugin without its package', () => {
  it('names the package to install', async () => {
    const without = createPostgresOutput(missingPackage('pg'));
    const options = { database: 'none', username: 'nobody' };
    assert.match(await startFailure(without, options), /npm install pg@8/);
  });
});
