import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext, test } from 'node:test';
import { apply } from '../../../cli/ctl/apply.ts';
import { formatApply } from '../../../cli/ctl/apply-report.ts';
import { connect } from '../../../cli/ctl/connect.ts';
import { listDevices } from '../../../cli/ctl/devices.ts';
import { showEvents } from '../../../cli/ctl/events.ts';
import { findDevice } from '../../../cli/ctl/find-device.ts';
import { listDefinitions } from '../../../cli/ctl/list-definitions.ts';
import { showDevice } from '../../../cli/ctl/show-device.ts';
import { showStatus } from '../../../cli/ctl/status.ts';
import { discoverDevice } from '../../../cli/device/discover.ts';
import { explainValue } from '../../../cli/device/explain.ts';
import { pollDevice } from '../../../cli/device/poll.ts';
import { runCommand } from '../../../cli/program.ts';
import { formatDuration } from '../../../cli/terminal/time-text.ts';
import poller from '../../../plugins/snmp-poller/index.ts';
import type { ApiClient } from '../../../src/client/index.ts';
import { packageVersion } from '../../../src/own-package.ts';
import { changedInterfaces, startThreeSwitches } from '../../plugins/http-api/support/three-switches.ts';
import { smallDefinitions } from '../../plugins/support/definition-folder.ts';
import { CollectorProcess } from '../support/collector-process.ts';
import { printed } from '../support/printed.ts';

/** The output of a command, and its exit code. */
async function run(t: TestContext, command: () => Promise<number>): Promise<{ code: number; text: string }> {
  let code = -1;
  const text = await printed(t, async () => {
    code = await command();
  });
  return { code, text };
}

test('waywiser ctl against a running collector', async (t) => {
  const { baseUrl, agents, folder, settle } = await startThreeSwitches(t, { more: [{ plugin: poller }] });
  const client = connect({ url: baseUrl }, {});
  const port = String(agents[0]!.port);
  const place = { ip: '127.0.0.1', port };
  const silent = { ip: '127.0.0.1', port: String(agents[1]!.port) };

  await t.test('each list takes the URL as an option', async () => {
    for (const words of [
      'devices',
      'devices --text a',
      'definitions',
      'definitions device-groups',
      'members',
      'uncollected',
      'status',
    ]) {
      const { code } = await run(t, () =>
        runCommand(['ctl', ...words.split(' '), '--url', baseUrl, '--json']),
      );
      assert.equal(code, 0, words);
    }
  });

  await t.test('apply with --dry-run shows the changes, the affected devices and the cost', async () => {
    folder.write('objects/interfaces.yml', changedInterfaces);
    folder.write('device_groups/more.yml', 'more: { object_groups: [system] }\n');
    const { code, text } = await run(t, () => apply(client, { dryRun: true, force: true }));
    assert.equal(code, 0);
    assert.match(text, /^Dry run: generation 1 stays in use\. An apply would change:$/m);
    assert.match(text, /^~ object IF-MIB::ifEntry$/m);
    assert.match(text, /^\+ device group more$/m);
    assert.match(text, /^Would affect: 2 devices: a, b$/m);
    assert.match(text, /^Would be rediscovered: 2 devices: a, b$/m);
    assert.match(text, /^packets per second +[\d.]+ +[\d.]+/m);
  });

  await t.test('apply with --force waits for the rediscoveries', async () => {
    const { code, text } = await run(t, () => apply(client, { force: true }));
    assert.equal(code, 0);
    assert.match(text, /^Generation 2 replaces generation 1\.$/m);
    assert.match(text, /^Rediscovering: 2 devices: a, b$/m);
    const open = (await client.call('listDiscoveries')).body.discoveries.filter(({ outcome }) => !outcome);
    assert.deepEqual(open, []);
    assert.match(
      (await run(t, () => apply(client, {}))).text,
      /^No differences\. Generation 2 stays in use\.$/m,
    );
  });

  await t.test(
    'apply with --force names the devices whose rediscovery failed, and exits with 1',
    async () => {
      const failure = t.mock.method(console, 'error', () => {});
      folder.write('objects/interfaces.yml', smallDefinitions['objects/interfaces.yml']!);
      agents[1]!.set({ isSilent: true });
      const { code, text } = await run(t, () => apply(client, { force: true }));
      agents[1]!.set({ isSilent: false });
      failure.mock.restore();
      assert.equal(code, 1);
      assert.match(text, /^Rediscovering: 2 devices: a, b$/m);
      const messages = failure.mock.calls.map(({ arguments: [message] }) => String(message));
      assert.equal(messages.length, 1);
      assert.match(messages[0]!, /rediscovery failed:.* b: .* \[SNMP_TIMEOUT\]$/);
    },
  );

  await t.test('apply lists all problems of invalid files, and exits with 1', async () => {
    const failure = t.mock.method(console, 'error', () => {});
    folder.write(
      'objects/system.yml',
      smallDefinitions['objects/system.yml']!.replace('TicksCentiSec', 'Tick'),
    );
    const { code, text } = await run(t, () => apply(client, {}));
    folder.write('objects/system.yml', smallDefinitions['objects/system.yml']!);
    failure.mock.restore();
    assert.equal(code, 1);
    assert.match(text, /^objects\/system\.yml:6:\d+ {2}error {2}unknown-syntax\n/);
    assert.match(String(failure.mock.calls[0]!.arguments[0]), /The definition files have errors \(1\)/);
  });

  await t.test('rediscover shows what the device has, or why the discovery failed', async () => {
    const { code, text } = await run(t, () => discoverDevice(client, place, {}));
    assert.equal(code, 0);
    assert.match(text, /^a answered at 127\.0\.0\.1, sysObjectID [\d.]+\ndevice groups: switch$/m);
    assert.match(text, /^object +instances +new +gone\n/m);
    assert.match(text, /^IF-MIB::ifXEntry +25$/m, 'nothing is new or gone');
    assert.match(
      text,
      /^Found 51 instances of 3 objects in \d+ packets and (\d+ ms|\d+\.\d s) \(generation \d\)\.$/m,
    );
    agents[1]!.set({ isSilent: true });
    const timedOut = { code: 'SNMP_TIMEOUT', message: /^b: / };
    await assert.rejects(discoverDevice(client, silent, {}), timedOut);
    const failed = await run(t, () => discoverDevice(client, silent, { json: true }));
    agents[1]!.set({ isSilent: false });
    assert.equal(failed.code, 1);
    assert.equal(JSON.parse(failed.text).outcome.code, 'SNMP_TIMEOUT');
    const unknown = discoverDevice(client, { ip: '127.0.0.1', port: '9' }, {});
    await assert.rejects(unknown, { code: 'HTTP_DEVICE_UNKNOWN', message: /The nearest is "/ });
    const left = await run(t, () => discoverDevice(client, place, { wait: false }));
    assert.match(left.text, /^a: discovery \S+ is (waiting|running)\.$/);
    await settle();
  });

  await t.test(
    'finds a device by its name, its address and port, or an address that no other device has',
    async () => {
      assert.deepEqual(await findDevice(client, 'a'), place);
      assert.deepEqual(await findDevice(client, `127.0.0.1:${port}`), place);
      assert.deepEqual(await findDevice(client, '127.0.0.1', port), place);
      await assert.rejects(findDevice(client, '127.0.0.1'), {
        code: 'HTTP_DEVICE_AMBIGUOUS',
        message: new RegExp(`several devices: 127\\.0\\.0\\.1:${port}, 127`),
      });
      await assert.rejects(findDevice(client, 'aa'), {
        code: 'HTTP_DEVICE_NAME_UNKNOWN',
        message:
          /^There is no device "aa"\. Did you mean "a"\? .*`waywiser ctl devices`, lists all devices\.$/,
      });
    },
  );

  await t.test('definitions lists objects and groups, with the file of each', async () => {
    const objects = await run(t, () => listDefinitions(client, 'objects', { text: 'if-mib' }));
    assert.match(objects.text, /^object +record +attributes +file$/m);
    assert.match(objects.text, /^IF-MIB::ifXEntry +IF-MIB::ifEntry +2 +objects\/interfaces\.yml:9$/m);
    assert.match(objects.text, /^2 of 2 objects$/m);
    const groups = await run(t, () => listDefinitions(client, 'device-groups', { limit: '1' }));
    assert.match(groups.text, /^1 of \d device groups; use --limit to see more$/m);
    const asked = { text: 'system', json: true };
    const { text } = await run(t, () => listDefinitions(client, 'object-groups', asked));
    assert.equal(JSON.parse(text)[0].id, 'system');
  });

  await t.test('devices lists all devices page by page, or those that the options select', async () => {
    const { text } = await run(t, () => listDevices(client, {}));
    assert.match(text, /^device +address +port +state +since +groups +why$/m);
    assert.match(text, new RegExp(`^a +127\\.0\\.0\\.1 +${port} +up +\\d{4}-\\d\\d-\\d\\d .* switch$`, 'm'));
    assert.match(text, /^3 of 3 devices$/m);
    assert.match(
      (await run(t, () => listDevices(client, { limit: '2' }))).text,
      /^2 of 3 devices; use --limit to see more$/m,
    );
    const plain = await run(t, () => listDevices(client, { group: 'plain', json: true }));
    assert.deepEqual(
      JSON.parse(plain.text).map(({ name }: { name: string }) => name),
      ['c'],
    );
  });

  await t.test('device shows the polling and the settings of a device, without secrets', async () => {
    await client.call('pollDevice', { path: { ip: '127.0.0.1', port }, query: { wait: true } });
    const { code, text } = await run(t, () => showDevice(client, place, {}));
    assert.equal(code, 0);
    assert.match(text, new RegExp(`^a {2}127\\.0\\.0\\.1 port ${port}\\nstate +up since `));
    assert.match(text, /^defined +devices\/all\.yml:1$/m);
    assert.match(text, /^inventory +\d+ instances, 3 objects searched, version \d+ of /m);
    assert.match(text, /^polls +\d+, 0 without a value; \d+ packets, 0 retries; \d+ values$/m);
    assert.match(text, /^learned +round trip [\d.]+ ms, \d+ requests? in parallel$/m);
    assert.match(text, /^next polls +every-60s in \d+ s$/m);
    assert.match(text, /^timeout +300 +device$/m);
    assert.ok(!text.includes('public'));
  });

  await t.test('poll prints the records of a poll, or fails with the reasons', async () => {
    const { code, text } = await run(t, () => pollDevice(client, place, {}));
    assert.equal(code, 0);
    assert.match(text, /^IF-MIB::ifEntry {2}25 rows, /m);
    assert.match(text, /^a: \d+ values in \d+ packets and \d+ ms$/m);
    assert.equal((await run(t, () => pollDevice(client, silent, {}))).code, 0);
    agents[1]!.set({ isSilent: true });
    await assert.rejects(pollDevice(client, silent, {}), {
      code: 'DEVICE_POLL_EMPTY',
      message: /^The poll of "b" returned no value: \d+ timeout\.$/,
    });
    agents[1]!.set({ isSilent: false });
    const third = { ip: '127.0.0.1', port: String(agents[2]!.port) };
    assert.equal((await run(t, () => pollDevice(client, third, { json: true }))).code, 0);
    agents[2]!.set({ isSilent: true });
    const failed = await run(t, () => pollDevice(client, third, { json: true }));
    agents[2]!.set({ isSilent: false });
    assert.equal(failed.code, 1);
    const { poll, records } = JSON.parse(failed.text);
    assert.deepEqual([poll.values, poll.packets, records], [0, 0, []]);
    const left = await run(t, () => pollDevice(client, place, { wait: false }));
    assert.equal(left.code, 0);
    assert.match(left.text, /^a: (the poll has started|a poll is already running)\.$/);
  });

  await t.test('explain shows how a value came to be, or why it is missing', async () => {
    const tell = (subject: string, attribute: string, options = {}) =>
      run(t, () => explainValue(client, place, { object: subject, attribute }, options));
    const { code, text } = await tell('IF-MIB::ifXEntry.3', 'ifHCInOctets');
    assert.equal(code, 0);
    assert.match(text, /^a {2}IF-MIB::ifXEntry\.3 {2}ifHCInOctets\nThe last poll returned it\.$/m);
    assert.match(text, /^device +up since \d{4}-\d\d-\d\d [\d:]{8}: /m);
    assert.match(text, /^inventory +version \d+ of \d{4}-\d\d-\d\d [\d:]{8}, 25 instances of the object$/m);
    assert.match(text, /^raw +Counter64 2740326354009 at \d{4}-/m);
    assert.match(text, /^written +netif\.bytes\.in of IF-MIB::ifEntry: 2740326354009 B$/m);
    const overridden = await tell('IF-MIB::ifEntry.3', 'ifInOctets', { json: true });
    assert.equal(overridden.code, 1);
    assert.match(JSON.parse(overridden.text).verdict, /ifHCInOctets overrides ifInOctets/);
    await assert.rejects(tell('IF-MIB::ifXEntri.3', 'ifHCInOctets'), { code: 'DEFINITION_UNKNOWN' });
  });

  await t.test('events prints one line per event', async () => {
    const words = { name: ['discovery.started', 'discovery.completed'], device: 'a', count: '2' };
    const events = run(t, () => showEvents(client, words));
    await client.call('listDevices');
    await client.call('rediscoverDevice', { query: { wait: true }, body: { ip: '127.0.0.1', port } });
    const { code, text } = await events;
    assert.equal(code, 0);
    assert.match(
      text,
      /^[\d:]{8} discovery\.started a requested\n[\d:]{8} discovery\.completed a found \d+ instances \(3 objects searched\) in /,
    );
  });

  await t.test('status summarises the collector', async () => {
    const { code, text } = await run(t, () => showStatus(client, {}));
    assert.equal(code, 0);
    assert.ok(text.startsWith(`test  waywiser ${packageVersion()}, up `));
    assert.match(text, /^test {2}waywiser \d+\.\d+\.\d+, up \d+ s: ready$/m);
    assert.match(text, /^definitions +generation 3, .* by /m);
    // A busy machine makes devices suspect: each is in one of the states.
    const [, states = ''] = /^devices +3: (.*)$/m.exec(text) ?? [];
    const counted = states
      .split(', ')
      .map((part) => /^(\d) (up|suspect|down|recovering|unknown)$/.exec(part)?.[1]);
    assert.equal(
      counted.reduce((sum, count) => sum + Number(count), 0),
      3,
      states,
    );
    assert.match(text, /^polled +3 devices, \d at the moment$/m);
    assert.match(text, /^slots +99 % at most [\d.]+ ms late; \d+ overruns, \d+ skipped$/m);
    assert.match(text, /^slowest +last poll +round trip +packets +retries +missing\n[abc] +/m);
  });

  await t.test('events ends when the reader closes the pipe', async (test) => {
    const command = new CollectorProcess(test);
    const words = ['ctl', 'events', '--json', '--name', 'discovery.started', '--device', 'a'];
    command.run(words, { WAYWISER_URL: baseUrl });
    let code: number | undefined;
    void command.exit.then((exit) => {
      code = exit;
    });
    const ask = () =>
      client.call('rediscoverDevice', { query: { wait: true }, body: { ip: '127.0.0.1', port } });
    while (command.stdout === '' && code === undefined) await ask();
    const [line = ''] = command.stdout.split('\n');
    assert.equal(JSON.parse(line).data.device.name, 'a');
    command.output.destroy();
    while (code === undefined) await ask();
    assert.deepEqual([code, command.stderr], [0, '']);
  });

  await t.test(
    'device lists what the device does not answer for, and what a discovery could not read',
    async () => {
      const column = '1.3.6.1.2.1.31.1.1.1.6';
      agents[0]!.set({ silentUnder: [column] });
      await client.call('pollDevice', { path: { ip: '127.0.0.1', port }, query: { wait: true } });
      const { body } = await client.call('getDevice', { path: place });
      const [{ column: silent, until } = {}] = body.learned!.silentColumns;
      assert.equal(silent, column);
      assert.ok(Date.parse(until!) > Date.now());
      await run(t, () => discoverDevice(client, place, {}));
      const { text } = await run(t, () => showDevice(client, place, {}));
      assert.match(text, /^not answered +left out: 1\.3\.6\.1\.2\.1\.31\.1\.1\.1\.6 until \d{4}-/m);
      agents[0]!.set({ jumps: [{ after: '1.3.6.1.2.1.2.2.1.10.5', to: '1.3.6.1.2.1.2.2.1.10.3' }] });
      await client.call('pollDevice', { path: { ip: '127.0.0.1', port }, query: { wait: true } });
      assert.match(
        (await run(t, () => showDevice(client, place, {}))).text,
        /^loops +the agent repeats OIDs below .*1\.3\.6\.1\.2\.1\.2\.2\.1/m,
      );
      assert.match(text, /^incomplete +IF-MIB::ifXEntry \(unanswered\)$/m);
    },
  );
});

test('waywiser ctl apply escapes control characters from devices', async (t) => {
  const device = { name: 'a\u001b[2J', ip: '192.0.2.1', port: 161 };
  const failed = {
    id: 'r1',
    device,
    state: 'failed',
    outcome: { ok: false, code: 'X', message: 'no\u0007' },
  };
  const applied = { changed: false, generation: 1, affectedDevices: [], rediscovering: [device] };
  let isApplied = false;
  const call = async (operation: string, { query }: { readonly query: { readonly state?: string } }) => {
    if (operation === 'listDiscoveries') {
      return { body: { discoveries: isApplied && query.state === 'failed' ? [failed] : [] } };
    }
    isApplied = true;
    return { body: { ...applied, changes: {}, warnings: [] } };
  };
  const client = { call } as unknown as ApiClient;
  const failure = t.mock.method(console, 'error', () => {});
  const { code } = await run(t, () => apply(client, { force: true }));
  const [message] = failure.mock.calls.map(({ arguments: [text] }) => String(text));
  failure.mock.restore();
  assert.equal(code, 1);
  assert.match(message!, /a\\u001b\[2J: no\\u0007 \[X\]$/);
});

describe('the URL and the token of waywiser ctl', () => {
  it('come from options, files and the environment, never from an option value', (t) => {
    const { folder } = new CollectorProcess(t);
    const file = join(folder, 'token');
    writeFileSync(file, '\nsecond line\n');
    const fails =
      (options: object, env: object = {}) =>
      () =>
        connect(options, env as Record<string, string>);
    assert.throws(fails({ url: 'localhost:8080' }), { code: 'CTL_URL_INVALID' });
    assert.throws(fails({}, { WAYWISER_URL: 'ftp://anna:secret@host/' }), { message: /"ftp:\/\/host\/"/ });
    assert.throws(fails({ tokenFile: file }), { code: 'CTL_TOKEN_EMPTY' });
    assert.throws(fails({ tokenFile: join(folder, 'none') }), {
      code: 'CTL_TOKEN_UNREADABLE',
      message: /there is no such file/,
    });
  });

  it('formats durations with their two largest units', () => {
    const texts = [0, 59, 60, 3605, 86_400 * 3 + 3600 * 4 + 5].map(formatDuration);
    assert.deepEqual(texts, ['0 s', '59 s', '1 min', '1 h 5 s', '3 d 4 h']);
  });
});

test('an apply with many changes lists the first ones and counts the rest', () => {
  const ids = Array.from({ length: 150 }, (_, i) => `X-MIB::o${i}`);
  const none = { added: [], changed: [], removed: [] };
  const kinds = ['objectGroups', 'deviceGroups', 'enums', 'devices', 'sysObjectIds', 'networks'];
  const changes = {
    ...Object.fromEntries(kinds.map((kind) => [kind, none])),
    objects: { ...none, changed: ids },
  };
  const rest = { generation: 2, previousGeneration: 1, affectedDevices: [], rediscovering: [], warnings: [] };
  const text = formatApply({ changed: true, changes, durationMs: 1, ...rest } as never, false);
  assert.equal(text.split('\n').filter((line) => line.includes('~ object ')).length, 20);
  assert.match(text, /and 130 more objects; --json lists them/);
  const nothing = Object.fromEntries(Object.keys(changes).map((kind) => [kind, none]));
  const other = formatApply({ changed: true, changes: nothing, durationMs: 1, ...rest } as never, false);
  assert.match(other, /^Only descriptions, or defaults of devices, are different\.$/m);
});
