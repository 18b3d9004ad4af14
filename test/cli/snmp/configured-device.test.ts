import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, it, type TestContext } from 'node:test';
import { coverage } from '../../../cli/definitions/coverage/coverage.ts';
import { openTargets } from '../../../cli/snmp/open-targets.ts';
import { record } from '../../../cli/snmp/record/record.ts';
import { withSession } from '../../../cli/snmp/session.ts';
import { Journal } from '../../../src/storage/journal.ts';
import { parseRecording, type ReplayAgent, startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionDirectory } from '../../plugins/definitions-loader/support/definition-directory.ts';
import { printed } from '../support/printed.ts';

const sysName = '1.3.6.1.2.1.1.5.0';
const recording = parseRecording(`${sysName}|4|core\n1.3.6.1.2.1.1.6.0|4|behind the canary-community\n`);

describe('a device of the configuration, by its name', () => {
  let agent: ReplayAgent;
  let folder: DefinitionDirectory;
  let config: string;

  before(async () => {
    agent = await startReplayAgent({ recording, community: 'canary-community' });
    folder = new DefinitionDirectory({
      'waywiser.yml':
        'state_directory: ./state\nsecrets_directory: ./keys\nplugins: { definitions-loader: {} }\n',
      'keys/second': 'canary-community',
      'definitions/defaults/device.yml': 'defaults: { version: 2c, timeout: 150, retries: 0 }\n',
      'definitions/devices/all.yml': `core-1: { ip: localhost, port: ${agent.port}, communities: [wrong, '\${file:second}'] }
silent: { ip: 127.0.0.1, port: ${agent.port}, communities: [wrong, also-wrong] }
`,
      // A mistake elsewhere does not prevent a walk.
      'definitions/objects/wrong.yml': 'X: { attributs: {} }\n',
    });
    config = `${folder.path}/waywiser.yml`;
  });
  after(async () => {
    folder[Symbol.dispose]();
    await agent.close();
  });

  const networksFile = (port: number) =>
    `lab: { networks: [127.0.0.0/8], port: ${port}, timeout: 150, retries: 0, credentials: [{ version: 2c, community: '\${file:second}' }] }\n`;
  const readName = (target: string, options: object) =>
    withSession(target, { ...options, config }, async (session) =>
      String((await session.get([sysName]))[0]?.value),
    );

  it('is asked at its address and port, with its times, and with the first credential that it answers', async () => {
    assert.equal(await readName('core-1', {}), 'core');
    const targets = await openTargets('core-1', { config });
    assert.deepEqual(
      targets.map(({ port, timeoutMs, retries }) => [port, timeoutMs, retries]),
      Array.from({ length: 2 }, () => [agent.port, 150, 0]),
    );
    await assert.rejects(readName('silent', {}), { code: 'SNMP_TIMEOUT' });
  });

  it('is asked with the credentials and times of the command line, where there are any', async () => {
    assert.equal(await readName('silent', { c: 'canary-community' }), 'core');
    const [target, ...others] = await openTargets('core-1', { config, v: '1', t: '2', r: '3' });
    assert.deepEqual([target.version, target.timeoutMs, target.retries, others], ['1', 2000, 3, []]);
  });

  it('is one that a suggestion names when the name is wrong', async () => {
    await assert.rejects(readName('core-2.invalid', {}), { code: 'TARGET_UNKNOWN' });
    await assert.rejects(readName('core_1', {}), {
      code: 'TARGET_UNKNOWN',
      message: /Did you mean "core-1"/,
    });
  });

  it('may be one that the API added, or that a scan found', async () => {
    // The definition files have the address of the other agent, and win.
    await using agent = await startReplayAgent({ recording, community: 'canary-community' });
    const state = `${folder.path}/state/device-registry`;
    const keep = (file: string, value: object) => {
      const { journal } = Journal.open(`${state}/${file}.journal`, {
        groupMs: 0,
        onError: (error) => assert.fail(String(error)),
      });
      journal.set(`127.0.0.1 ${agent.port}`, value);
      journal.close();
    };
    folder.write({ 'definitions/autodiscover/networks.yml': networksFile(agent.port) });
    keep('found', {
      name: 'found-1',
      ip: '127.0.0.1',
      port: agent.port,
      network: 'lab',
      credential: '2c ${file:second}',
    });
    assert.equal(await readName('found-1', {}), 'core');
    const settings = { ip: '127.0.0.1', port: agent.port, version: '2c', communities: ['${file:second}'] };
    keep('devices', { name: 'added-1', settings });
    const before = readdirSync(state);
    assert.equal(await readName('added-1', {}), 'core');
    const [target] = await openTargets('added-1', { config });
    assert.equal(target.timeoutMs, 150, 'the defaults of the files');
    await assert.rejects(readName('added_1', {}), { message: /Did you mean "added-1"/ });
    await assert.rejects(readName('found-1.invalid', {}), { code: 'TARGET_UNKNOWN' });
    assert.deepEqual(readdirSync(state), before, 'a command writes nothing there');
  });

  it('does not stand for an address, which needs no configuration', async () => {
    const [target] = await openTargets('127.0.0.1:7', { config: `${folder.path}/missing.yml` });
    assert.deepEqual(
      [target.address, target.port, 'community' in target && target.community],
      ['127.0.0.1', 7, 'public'],
    );
  });

  it('can be recorded without its secrets, and measured', async (t: TestContext) => {
    const file = `${folder.path}/core.snmprec`;
    await printed(t, () => record('core-1', file, '1', { config, redact: true }));
    assert.doesNotMatch(readFileSync(file, 'latin1'), /canary/);
    const report = await printed(t, () => coverage(['core-1'], { config, top: '3', json: true }));
    assert.equal(JSON.parse(report).values, 2);
  });
});
