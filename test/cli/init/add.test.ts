import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { runCommand } from '../../../cli/program.ts';
import { readDefinitions } from '../../../plugins/definitions-loader/commands.ts';
import { type ReplayAgent, startReplayAgent } from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { printed } from '../support/printed.ts';

const recording = 'test/recordings/router.snmprec';
const anna = { name: 'anna', authProtocol: 'sha256', authPassphrase: 'correct horse' } as const;
const annaWords = ['-u', 'anna', '-a', 'SHA-256', '-A', anna.authPassphrase];
const quick = ['-t', '0.2', '-r', '2', '--rate', '1000'];

async function run(
  t: TestContext,
  into: string,
  ...words: string[]
): Promise<{ code: number; text: string }> {
  let code = -1;
  const errors = t.mock.method(console, 'error', () => {});
  const text = await printed(t, async () => {
    code = await runCommand(['init', ...quick, '--into', into, ...words]);
  });
  const complaints = errors.mock.calls.map(({ arguments: [line] }) => String(line));
  errors.mock.restore();
  return { code, text: [text, ...complaints].join('\n') };
}

async function check(t: TestContext, folder: string): Promise<void> {
  const report = await printed(t, async () =>
    assert.equal(await runCommand(['check', '--strict', '--config', join(folder, 'waywiser.yml')]), 0),
  );
  assert.match(report, /0 errors, 0 warnings/);
}

function readDevices(folder: string) {
  const directories = [join(folder, 'definitions')];
  const { devices, problems } = readDefinitions({ directories }, join(folder, 'secrets'));
  assert.deepEqual(problems, []);
  return new Map([...devices].map(([name, { settings }]) => [name, settings]));
}

/** All files below a folder with what is in them; without the schemas. */
function readFolder(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('schemas') && statSync(join(folder, name)).isFile(),
  );
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** A configuration with the device cellar-1 at 127.0.0.1, whose community is `lab`, and another device at 127.0.0.2. */
async function setUp(t: TestContext): Promise<{ folder: string; port: number; second: ReplayAgent }> {
  const second = await startReplayAgent({ recording, address: '127.0.0.2', community: 'lab' });
  t.after(() => second.close());
  const { port } = second;
  const folder = temporaryFolder(t);
  const files = {
    // Without the shipped definitions a check is faster.
    'waywiser.yml': `secrets_directory: ./secrets
plugins: # ours
  definitions-loader: { shipped: false, directories: [./definitions] }
  snmp-poller: {}
  http-api: { port: 0 }
  # the one for the dashboards
  prometheus: {}
`,
    'definitions/defaults/device.yml': 'defaults: { version: 2c, communities: ["${file:community}"] }\n',
    [devicesFile]: `# in the cellar\ncellar-1: { ip: 127.0.0.1, port: ${port} } # the old one\n\n# the end of my file\n`,
    'secrets/community': 'lab',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { folder, port, second };
}

const devicesFile = 'definitions/devices/devices.yml';

describe('waywiser init --add', () => {
  it('adds the devices that are not there yet, with the credentials of the configuration', async (t) => {
    const { folder, port } = await setUp(t);
    const before = readFolder(folder);
    const first = await run(t, folder, '--add', `127.0.0.1-3:${port}`);
    assert.equal(first.code, 0);
    assert.match(first.text, /^Already there: cellar-1\.\nProbing 2 addresses/);
    assert.match(first.text, /Extended .*devices\.yml\. Next: waywiser ctl apply, or waywiser start/);
    const after = readFolder(folder);
    assert.deepEqual(Object.keys(after), Object.keys(before));
    assert.ok(after[devicesFile]?.startsWith(before[devicesFile] ?? ''));
    assert.deepEqual({ ...after, [devicesFile]: '' }, { ...before, [devicesFile]: '' });
    const devices = readDevices(folder);
    assert.deepEqual([...devices.keys()], ['cellar-1', 'core-1.example.net']);
    assert.deepEqual(devices.get('core-1.example.net'), { ...devices.get('cellar-1'), ip: '127.0.0.2' });
    await check(t, folder);

    const again = await run(t, folder, '--add', `127.0.0.1-3:${port}`);
    assert.equal(again.code, 0);
    assert.match(
      again.text,
      /^Already there: cellar-1, core-1\.example\.net\.\nProbing 1 address .*\nNo other device answered/,
    );
    const known = await run(t, folder, '--add', `127.0.0.1-2:${port}`);
    assert.match(known.text, /^Already there: cellar-1, core-1\.example\.net\.\nNothing to add\.$/);
    assert.deepEqual(readFolder(folder), after);
  });

  it('writes other credentials to the new devices and to numbered secret files', async (t) => {
    const { folder, port, second } = await setUp(t);
    await second.close();
    const agents = [
      await startReplayAgent({ recording, address: '127.0.0.2', port, community: 'old' }),
      await startReplayAgent({ recording, address: '127.0.0.3', port, users: [anna] }),
      await startReplayAgent({ recording, address: '127.0.0.4', port, community: 'lab' }),
      await startReplayAgent({ recording, address: '127.0.0.5', port, community: 'old' }),
    ];
    t.after(() => Promise.all(agents.map((agent) => agent.close())));
    const words = ['-c', 'unused', '-c', 'old', '-c', 'lab', ...annaWords];
    const report = await run(t, folder, '--add', ...words, `127.0.0.1-4:${port}`);
    assert.equal(report.code, 0);
    assert.match(report.text, /no device needs it: community 1\./);
    assert.doesNotMatch(report.text, /unused|horse/);

    const devices = [...readDevices(folder).values()];
    assert.deepEqual(
      devices.map(({ ip, version, communities }) => [ip, version, version === '3' ? [] : communities]),
      [
        ['127.0.0.1', '2c', ['${file:community}']],
        ['127.0.0.2', '2c', ['${file:community-2}']],
        ['127.0.0.3', '3', []],
        ['127.0.0.4', '2c', ['${file:community}']],
      ],
    );
    assert.deepEqual(devices[2]?.v3_credentials, [
      {
        username: 'anna',
        authentication_protocol: 'sha256',
        authentication_passphrase: '${file:authentication}',
      },
    ]);
    const secrets = join(folder, 'secrets');
    const files = { community: 'lab', 'community-2': 'old', authentication: anna.authPassphrase };
    assert.deepEqual(readFolder(secrets), files);
    for (const name of ['community-2', 'authentication'])
      assert.equal(statSync(join(secrets, name)).mode & 0o777, 0o600);
    await check(t, folder);

    assert.equal((await run(t, folder, '--add', '-c', 'old', `127.0.0.5:${port}`)).code, 0);
    assert.deepEqual(readFolder(secrets), files, 'a secret that is there is used again');
    await check(t, folder);
  });

  it('keeps modes and links, and leaves no other files behind', async (t) => {
    const { folder, port } = await setUp(t);
    const path = join(folder, devicesFile);
    chmodSync(path, 0o640);
    const target = join(folder, 'kept.yml');
    renameSync(join(folder, 'waywiser.yml'), target);
    symlinkSync('kept.yml', join(folder, 'waywiser.yml'));
    chmodSync(target, 0o604);
    const names = Object.keys(readFolder(folder));
    const words = ['--plugin', 'ndjson', '--plugin', 'ndjson/audit: { file: ./audit.ndjson }'];
    const { code, text } = await run(t, folder, '--add', ...words, `127.0.0.2:${port}`);
    assert.equal(code, 0, text);
    assert.equal(statSync(path).mode & 0o777, 0o640);
    assert.equal(statSync(target).mode & 0o777, 0o604);
    assert.ok(lstatSync(join(folder, 'waywiser.yml')).isSymbolicLink());
    assert.deepEqual(Object.keys(readFolder(folder)), names);
    await check(t, folder);
  });

  it('adds plugins, also alone, and only such that the collector would start with', async (t) => {
    const { folder } = await setUp(t);
    const path = join(folder, 'waywiser.yml');
    const before = readFileSync(path, 'utf8');
    const added = await run(
      t,
      folder,
      '--add',
      '--plugin',
      'prometheus',
      '--plugin',
      'ndjson: { file: ./out.ndjson }',
    );
    assert.equal(added.code, 0);
    assert.match(
      added.text,
      /^Already there: prometheus\.\n\nExtended .*waywiser\.yml\. Next, restart the collector/,
    );
    const after = readFileSync(path, 'utf8');
    assert.equal(after, `${before}  ndjson: { file: ./out.ndjson }\n`);
    await check(t, folder);

    for (const [plugin, code, message] of [
      ['http', 1, /would not start with the plugin http\..*INIT_PLUGIN_REFUSED.*"url" is required/s],
      ['htttp', 1, /INIT_PLUGIN_REFUSED.*Did you mean "http"/s],
      ['http: { url: 7', 2, /INIT_PLUGIN_INVALID/],
      ['{ events: {} }', 2, /INIT_PLUGIN_INVALID/],
    ] as const) {
      const refused = await run(t, folder, '--add', '--plugin', plugin);
      assert.equal(refused.code, code, plugin);
      assert.match(refused.text, message);
    }
    assert.equal(readFileSync(path, 'utf8'), after);
    const alone = await run(t, folder, '--plugin', 'events');
    assert.equal(alone.code, 2);
    assert.match(alone.text, /INIT_PLUGIN_WITHOUT_ADD/);
  });

  it('uses the only file of devices under any name, otherwise a new one', async (t) => {
    const { folder, port } = await setUp(t);
    const office = join(folder, 'definitions/devices/office/all.yaml');
    mkdirSync(dirname(office));
    renameSync(join(folder, devicesFile), office);
    assert.equal((await run(t, folder, '--add', `127.0.0.2:${port}`)).code, 0);
    assert.match(readFileSync(office, 'utf8'), /127\.0\.0\.2/);
    await check(t, folder);

    writeFileSync(join(folder, 'definitions/devices/spare.yml'), '# none yet\n');
    await using _third = await startReplayAgent({ recording, address: '127.0.0.3', port, community: 'lab' });
    assert.equal((await run(t, folder, '--add', `127.0.0.3:${port}`)).code, 0);
    const created = readFileSync(join(folder, devicesFile), 'utf8');
    assert.match(created, /^# Devices that answered at 127\.0\.0\.3/);
    assert.deepEqual([...readDevices(folder).values()].map(({ ip }) => ip).sort(), [
      '127.0.0.1',
      '127.0.0.2',
      '127.0.0.3',
    ]);
    await check(t, folder);
  });

  it('knows a device that the configuration has by its host name', async (t) => {
    const { folder, port } = await setUp(t);
    const path = join(folder, devicesFile);
    writeFileSync(path, readFileSync(path, 'utf8').replace('127.0.0.1', 'localhost'));
    const { text } = await run(t, folder, '--add', `127.0.0.1:${port}`);
    assert.match(text, /Nothing to add/);
  });

  it('sends nothing and writes nothing when the files cannot be extended', async (t) => {
    const { folder, port, second } = await setUp(t);
    const path = join(folder, devicesFile);
    const main = join(folder, 'waywiser.yml');
    const original = { [path]: readFileSync(path, 'utf8'), [main]: readFileSync(main, 'utf8') };
    const add = ['--add', '-c', 'other', `127.0.0.2:${port}`];
    for (const [file, text, message] of [
      [path, `{ core: { ip: 192.0.2.9 } }\n`, /devices\.yml cannot be extended.*braces.*INIT_CANNOT_EXTEND/s],
      [
        path,
        `core: { ipp: 192.0.2.9 }\n`,
        /errors \(\d+\), such as: .*devices\.yml:1: .*INIT_DEFINITIONS_BROKEN/s,
      ],
      [main, 'pluginss: {}\n', /waywiser\.yml:1:1.*plugins/s],
    ] as const) {
      writeFileSync(file, text);
      const before = readFolder(folder);
      const refused = await run(t, folder, ...add);
      assert.equal(refused.code, 1);
      assert.match(refused.text, message);
      assert.deepEqual(readFolder(folder), before);
      writeFileSync(file, original[file] ?? '');
    }
    assert.equal(second.counters.requests, 0);

    writeFileSync(main, (original[main] ?? '').replace('secrets_directory: ./secrets\n', ''));
    await using _third = await startReplayAgent({
      recording,
      address: '127.0.0.3',
      port,
      community: 'other',
    });
    const words = ['--add', '-c', 'other', `127.0.0.3:${port}`];
    writeFileSync(
      join(folder, 'definitions/defaults/device.yml'),
      'defaults: { version: 2c, communities: ["${env:PATH}"] }\n',
    );
    const unsafe = await run(t, folder, ...words);
    assert.match(unsafe.text, /waywiser\.yml has no `secrets_directory`.*INIT_NO_SECRETS_DIRECTORY/s);
    assert.doesNotMatch(readFileSync(path, 'utf8'), /127\.0\.0\.3/);

    const nowhere = join(folder, 'empty');
    const missing = await run(t, nowhere, ...add);
    assert.match(missing.text, /waywiser\.yml, so nothing can be added.*INIT_NOTHING_THERE/s);
    assert.ok(!existsSync(nowhere));
  });
});
