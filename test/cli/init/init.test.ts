import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { listAddresses } from '../../../cli/init/address-range.ts';
import { init } from '../../../cli/init/init.ts';
import { askForTarget, withQuestions } from '../../../cli/init/questions.ts';
import { readDefinitions } from '../../../plugins/definitions-loader/commands.ts';
import { loadSetup } from '../../../src/collector/collector-setup.ts';
import { Collector } from '../../../src/kernel/collector.ts';
import { createLogger } from '../../../src/kernel/logger.ts';
import type { EventMap } from '../../../src/model/event-map.ts';
import { parseRecording, startReplayAgent } from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { printed } from '../support/printed.ts';

const quick = { t: '0.3', r: '0', rate: '1000' };
const hostile = Buffer.from('Fan tray\nevil: { ip: 192.0.2.9 }\u2028\u001b[2J').toString('hex');
const oddDevice = parseRecording(`1.3.6.1.2.1.1.1.0|4x|${hostile}
1.3.6.1.2.1.1.5.0|4|__proto__: "x"
`);

describe('waywiser init', () => {
  it('finds and recognises the devices of a range and writes definitions that pass every check', async (t) => {
    await using router = await startReplayAgent({
      recording: 'test/recordings/router.snmprec',
      community: 'lab',
    });
    const { port } = router;
    await using _odd = await startReplayAgent({
      recording: oddDevice,
      address: '127.0.0.3',
      port,
      community: 'lab',
    });
    const into = join(temporaryFolder(t), 'new');
    const report = await printed(t, () => init(`127.0.0.1-4:${port}`, { ...quick, c: 'lab', into }));
    assert.match(report, /127\.0\.0\.1 .* Example/);
    assert.match(report, /Next: waywiser start --config .*waywiser\.yml$/);

    const secrets = join(into, 'secrets');
    assert.equal(readFileSync(join(secrets, 'community'), 'utf8'), 'lab');
    assert.equal(statSync(join(secrets, 'community')).mode & 0o777, 0o600);
    assert.equal(statSync(secrets).mode & 0o777, 0o700);
    const directories = ['definitions', join(into, 'definitions')];
    const { problems, devices } = readDefinitions({ directories }, secrets);
    assert.deepEqual(problems, []);
    const settings = [...devices].map(([name, device]) => [
      name,
      device.settings.ip,
      device.settings.device_groups,
    ]);
    assert.deepEqual(
      settings.map(([, ip]) => ip),
      ['127.0.0.1', '127.0.0.3'],
    );
    assert.deepEqual(settings[1], ['proto-x', '127.0.0.3', ['auto']]);
    const files = ['waywiser.yml', 'definitions/defaults/device.yml', 'definitions/devices/devices.yml'];
    for (const file of files)
      assert.doesNotMatch(readFileSync(join(into, file), 'utf8'), /\blab\b|[^\P{C}\n]|\p{Zl}/u);

    const again = init(`127.0.0.1:${port}`, { ...quick, c: 'lab', into });
    await assert.rejects(again, {
      code: 'INIT_WOULD_OVERWRITE',
      message: /waywiser\.yml, .*secrets\/community/,
    });
  });

  it('writes a configuration for SNMPv3 that starts and polls', async (t) => {
    const user = {
      name: 'anna',
      authProtocol: 'sha256',
      authPassphrase: 'correct horse',
      privProtocol: 'aes',
      privPassphrase: 'battery staple',
    } as const;
    await using agent = await startReplayAgent({
      recording: 'test/recordings/switch.snmprec',
      users: [user],
    });
    const into = temporaryFolder(t);
    const letters = { u: 'anna', a: 'SHA-256', A: '${env:INIT_TEST_AUTH}', x: 'AES', X: user.privPassphrase };
    process.env['INIT_TEST_AUTH'] = user.authPassphrase;
    t.after(() => delete process.env['INIT_TEST_AUTH']);
    await printed(t, () => init(`127.0.0.1:${agent.port}`, { ...quick, ...letters, into }));
    const defaults = readFileSync(join(into, 'definitions/defaults/device.yml'), 'utf8');
    assert.match(defaults, /authentication_passphrase: "\$\{env:INIT_TEST_AUTH\}"/);
    assert.match(defaults, /privacy_passphrase: "\$\{file:privacy\}"/);
    assert.ok(!existsSync(join(into, 'secrets/authentication')));

    const often = defaults.replace('poll_interval: 60', 'poll_interval: 1');
    writeFileSync(join(into, 'definitions/defaults/device.yml'), often);
    const polled = await pollOnce(join(into, 'waywiser.yml'));
    assert.equal(polled.device.name, 'access-1.example.net');
    assert.ok(polled.values > 100);
  });

  it('writes nothing when no device answers, and counts the reasons', async (t) => {
    await using agent = await startReplayAgent({ recording: oddDevice, community: 'other' });
    const into = join(temporaryFolder(t), 'new');
    await assert.rejects(
      printed(t, () => init(`127.0.0.1:${agent.port}`, { ...quick, c: 'wrong', into })),
      {
        code: 'INIT_NO_ANSWER',
        message:
          'No device answered. Addresses asked: 1 (1 × SNMP_TIMEOUT). Check the address, the community, the access list of the device, and the network. Nothing was written.',
      },
    );
    assert.ok(!existsSync(into));
  });

  it('asks for a target and several credentials without echoing secrets', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const shown = text(output);
    const anna = ['3', 'anna', 'correct horse', '', 'battery staple', 'AES-256'];
    const answers = ['192.0.2.0/28', 'v2', ...anna, '2c', 'tulip field', '1', '', ''];
    const asked = await withQuestions(input, output, (ask) =>
      askForTarget(
        (question, hidden) => {
          setImmediate(() => input.write(`${answers.shift()}\n`));
          return ask(question, hidden);
        },
        { hasCredentials: false },
      ),
    );
    output.end();
    assert.deepEqual(asked, {
      target: '192.0.2.0/28',
      credentials: [
        { v: '3', u: 'anna', a: 'SHA-256', A: 'correct horse', x: 'AES-256', X: 'battery staple' },
        { v: '2c', c: 'tulip field' },
        { v: '1', c: 'public' },
      ],
    });
    assert.deepEqual(answers, []);
    assert.doesNotMatch(await shown, /horse|staple|tulip/);
    assert.match(await shown, /Privacy protocol \[AES\]/);
  });

  it('leaves its questions visible on a terminal', async () => {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const output = new PassThrough();
    const shown = text(output);
    const answers = ['192.0.2.1', '2c', 'tulip field', ''];
    await withQuestions(input, output, (ask) =>
      askForTarget(
        (question, hidden) => {
          setImmediate(() => input.write(`${answers.shift()}\r`));
          return ask(question, hidden);
        },
        { hasCredentials: false },
      ),
    );
    output.end();
    const lines = (await shown).split('\n');
    for (const question of ['Address', 'SNMP version', 'Community', 'Other credentials']) {
      const line = lines.find((each) => each.includes(question)) ?? assert.fail(question);
      // ESC [0J erases what is behind the cursor, which is in the first column.
      assert.ok(line.indexOf(question) > line.lastIndexOf('\u001b[0J'), JSON.stringify(line));
    }
    assert.doesNotMatch(await shown, /tulip/);
  });

  it('ends with an error of its own after Ctrl-C and Ctrl-D', async () => {
    for (const [key, name] of [
      ['\u0003', 'Ctrl-C'],
      ['\u0004', 'Ctrl-D'],
    ] as const) {
      const input = Object.assign(new PassThrough(), { isTTY: true });
      setImmediate(() => input.write(key));
      await assert.rejects(
        withQuestions(input, new PassThrough(), (ask) => ask('Address: ')),
        { code: 'COMMAND_INTERRUPTED', message: `The command was interrupted by ${name}.` },
      );
    }
  });

  it('asks for a version first, and takes the preset after an empty answer', async () => {
    const askWith = (hasCredentials: boolean, answers: string[]) =>
      askForTarget(async () => answers.shift() ?? '', { hasCredentials });
    const preset = await askWith(false, ['192.0.2.1']);
    assert.deepEqual(preset.credentials, [{ v: '2c', c: 'public' }]);
    assert.deepEqual((await askWith(true, ['192.0.2.1'])).credentials, []);
    assert.deepEqual((await askWith(true, ['192.0.2.1', '1'])).credentials, [{ v: '1', c: 'public' }]);
  });

  it('needs a target or a terminal', async (t) => {
    await assert.rejects(init(undefined, { ...quick, into: temporaryFolder(t) }), {
      code: 'INIT_TARGET_MISSING',
      message: /waywiser init 192\.0\.2\.0\/24/,
    });
  });
});

describe('a range of addresses', () => {
  it('is a network without its first and last address, a span, or one device', async () => {
    const of = async (range: string) => {
      const { addresses, port } = await listAddresses(range);
      return `${addresses[0]} … ${addresses.at(-1)} (${addresses.length}) ${port}`;
    };
    assert.equal(await of('192.0.2.77/24'), '192.0.2.1 … 192.0.2.254 (254) 161');
    assert.equal(await of('192.0.2.8/31:1161'), '192.0.2.8 … 192.0.2.9 (2) 1161');
    assert.equal(await of('192.0.2.9/32'), '192.0.2.9 … 192.0.2.9 (1) 161');
    assert.equal(await of('192.0.2.10-20'), '192.0.2.10 … 192.0.2.20 (11) 161');
    assert.equal(await of('192.0.2.250-192.0.3.5'), '192.0.2.250 … 192.0.3.5 (12) 161');
    assert.equal(await of('[2001:db8::1]:1161'), '2001:db8::1 … 2001:db8::1 (1) 1161');
  });

  it('is refused when it is invalid or too large', async () => {
    for (const range of ['192.0.2.0/33', '192.0.2.256/24', '192.0.2.9-8', '192.0.2.0/24:0', '192.0.2/24']) {
      await assert.rejects(listAddresses(range), { code: 'INIT_RANGE_INVALID' }, range);
    }
    await assert.rejects(listAddresses('192.0.0.0/8'), { code: 'INIT_RANGE_TOO_LARGE' });
  });
});

/** Starts the configuration as `waywiser start` does, and waits for the first values of a poll. */
async function pollOnce(configPath: string): Promise<EventMap['poll.completed']> {
  const env = { ...process.env, WAYWISER_PLUGINS__HTTP_API__PORT: '0' };
  const { keys, plugins } = await loadSetup(configPath, { env });
  const log = createLogger({ level: 'silent', instance: keys.instance, destination: new PassThrough() });
  const collector = new Collector({
    instance: keys.instance,
    version: '0.0.0',
    stateDirectory: keys.state_directory,
    ...(keys.secrets_directory === undefined ? {} : { secretsDirectory: keys.secrets_directory }),
    log,
    plugins,
  });
  const polled = new Promise<EventMap['poll.completed']>((resolve) => {
    collector.events.on('poll.completed', (summary) => {
      if (summary.values > 100) resolve(summary);
    });
  });
  await collector.start();
  try {
    return await polled;
  } finally {
    assert.deepEqual(await collector.stop('the test ended'), []);
  }
}
