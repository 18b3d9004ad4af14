import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { parseRecording, type ReplayAgent, startReplayAgent } from '../../../src/testing/index.ts';
import { missingTool } from '../../support/needs.ts';
import { runTool } from '../../support/run-tool.ts';
import { CollectorProcess } from '../support/collector-process.ts';
import { CommandRunner } from '../support/command-runner.ts';
import { everyType } from './every-type.ts';

const user = {
  name: 'anna',
  authProtocol: 'sha256',
  authPassphrase: 'first passphrase',
  privProtocol: 'aes',
  privPassphrase: 'second passphrase',
} as const;
const userWords = ['-v3', '-u', 'anna', '-l', 'authPriv', '-a', 'SHA-256', '-x', 'AES'];
const manyRows = Array.from({ length: 20_000 }, (_, i) => `1.3.6.1.2.1.2.2.1.1.${i + 1}|2|${i}\n`).join('');

let agent: ReplayAgent;
let largeAgent: ReplayAgent;
let target: string;
let commands: CommandRunner;

before(async () => {
  agent = await startReplayAgent({ recording: parseRecording(everyType), users: [user] });
  largeAgent = await startReplayAgent({ recording: parseRecording(manyRows) });
  commands = new CommandRunner();
  target = `${agent.address}:${agent.port}`;
});
after(() => {
  commands.close();
  return Promise.all([agent.close(), largeAgent.close()]);
});

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return commands.run(args, { env });
}

describe('waywiser get, next, bulk and walk', { concurrency: 2 }, () => {
  it('prints the same walk as snmpbulkwalk, over SNMPv3 with passphrases from the environment', async (t) => {
    if (missingTool('snmpbulkwalk')) return t.skip('snmpbulkwalk is not installed');
    const env = { AUTH: user.authPassphrase, PRIV: user.privPassphrase };
    const words = [...userWords, '-A', '${env:AUTH}', '-X', '${env:PRIV}', `udp:${target}`, '.1'];
    const ours = await run(['walk', ...words], env);
    const theirs = await runTool('snmpbulkwalk', ['-v2c', '-c', 'public', '-On', target, '.1']);
    assert.equal(ours.stdout, theirs.replace(/^.* = No more variables left .*\n/m, ''));
    assert.deepEqual([ours.code, ours.stderr], [0, '']);
  });

  it('prints values and exceptions in the order of the OIDs', async () => {
    const got = await run(['get', target, '1.3.6.1.4.1.9.13.0', '.1.3.6.1.4.1.9.13.1', '1.3.6.1.4.1.9.1.0']);
    assert.deepEqual(got.stdout.trim().split('\n'), [
      '.1.3.6.1.4.1.9.13.0 = Gauge32: 17',
      '.1.3.6.1.4.1.9.13.1 = No Such Instance currently exists at this OID',
      '.1.3.6.1.4.1.9.1.0 = INTEGER: -5',
    ]);
    assert.equal(got.code, 0);
  });

  it('speaks SNMPv1', async () => {
    const got = await run(['next', '-v1', '-cpublic', '--json', target, '1.3.6.1.4.1.9.12']);
    assert.equal(got.stdout, '{"oid":"1.3.6.1.4.1.9.12.0","type":"Counter32","value":4294967295}\n');
  });

  it('sends requests over IPv6', async () => {
    await using sixth = await startReplayAgent({ recording: parseRecording(everyType), address: '::1' });
    const got = await run([
      'get',
      '-v',
      '2c',
      '-c',
      'public',
      `udp6:[::1]:${sixth.port}`,
      '1.3.6.1.4.1.9.13.0',
    ]);
    assert.equal(got.stdout, '.1.3.6.1.4.1.9.13.0 = Gauge32: 17\n');
  });

  it('takes repetitions as -Cr2 and as -Cr 2', async () => {
    const spellings = [
      ['-Cr2', '-Cn', '1'],
      ['-Cr', '2', '-Cn1'],
    ];
    for (const words of spellings) {
      const got = await run(['bulk', ...words, target, '1.3.6.1.4.1.9.12', '1.3.6.1.4.1.9.15']);
      const oids = got.stdout.match(/^\S+/gm);
      assert.deepEqual(oids, ['.1.3.6.1.4.1.9.12.0', '.1.3.6.1.4.1.9.15.0', '.1.3.6.1.4.1.9.16.0']);
    }
  });

  it('walks several columns in parallel, and prints an instance itself', async () => {
    const columns = await run(['walk', target, '1.3.6.1.4.1.9.12', '1.3.6.1.4.1.9.15']);
    assert.deepEqual(columns.stdout.match(/^\S+/gm), ['.1.3.6.1.4.1.9.12.0', '.1.3.6.1.4.1.9.15.0']);
    const instance = await run(['walk', target, '1.3.6.1.4.1.9.13.0']);
    assert.equal(instance.stdout, '.1.3.6.1.4.1.9.13.0 = Gauge32: 17\n');
  });

  it('names the subtree of a looping agent that ends early, and exits with 1', async () => {
    await using looping = await startReplayAgent({
      recording: parseRecording(everyType),
      knobs: { jumps: [{ after: '1.3.6.1.4.1.9.13.0', to: '1.3.6.1.4.1.9.9.0' }] },
    });
    const got = await run(['walk', '-t0.3', '-r0', `${looping.address}:${looping.port}`, '1.3.6.1.4']);
    assert.match(got.stderr, /^warning: 1\.3\.6\.1\.4 was not read to the end: .* \[notIncreasing\]\n$/);
    assert.equal(got.code, 1);
  });

  it('exits with 1 and a code when no device answers', async () => {
    await using silent = await startReplayAgent({
      recording: parseRecording(everyType),
      knobs: { isSilent: true },
    });
    const got = await run(['get', '-t0.1', '-r1', `localhost:${silent.port}`, '1.3.6.1']);
    assert.match(got.stderr, /^error: 127\.0\.0\.1:\d+ did not answer 2 requests .* \[SNMP_TIMEOUT\]\n$/);
    assert.deepEqual([got.code, got.stdout], [1, '']);
    assert.equal(silent.counters.requests, 2);
  });

  it('ends without an error when the reader closes the pipe', async (t) => {
    const command = new CollectorProcess(t);
    command.run(['walk', '-Cr1', `127.0.0.1:${largeAgent.port}`]);
    await once(command.output, 'data');
    const asked = largeAgent.counters.requests;
    command.output.destroy();
    assert.equal(await command.exit, 0);
    assert.equal(command.stderr, '');
    assert.ok(largeAgent.counters.requests < asked + 5000, 'it stopped asking');
  });

  it('ends at Ctrl-C without reading on', async (t) => {
    await using slow = await startReplayAgent({
      recording: parseRecording(manyRows),
      knobs: { delayMs: 50 },
    });
    const command = new CollectorProcess(t);
    // Without coverage: the process would write its report before it ends.
    command.run(['walk', '-Cr1', `127.0.0.1:${slow.port}`], { NODE_V8_COVERAGE: '' });
    await once(command.output, 'data');
    command.kill('SIGINT');
    assert.equal(await command.exit, null, 'the signal ended the process');
    assert.equal(command.stderr, '');
    const rows = manyRows.split('\n').length;
    assert.ok(slow.counters.requests < rows / 10, `${slow.counters.requests} requests for ${rows} rows`);
  });
});

describe('wrong usage of get, next, bulk and walk', { concurrency: 2 }, () => {
  const wrong: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['no target', ['get'], /missing required argument 'target'/],
    ['no OID', ['get', 'host'], /missing required argument 'oid'/],
    [
      'a name that no definition has',
      ['get', '127.0.0.1', 'sysDescri.0'],
      /No definition that ships has "sysDescri"\. Did you mean "sysDescr"\? .*--mibs.* \[OID_NAME_UNKNOWN\]/,
    ],
    [
      'numbers that are no OID',
      ['get', '127.0.0.1', '1.3.x'],
      /"1\.3\.x" is not a valid OID\. .* \[SNMP_BAD_OID\]/,
    ],
    [
      'an invalid port',
      ['walk', '127.0.0.1:0'],
      /"127\.0\.0\.1:0" is not a valid target\. .* \[TARGET_INVALID\]/,
    ],
    ['bulk over SNMPv1', ['bulk', '-v1', '127.0.0.1', '1.3'], /no GETBULK\. .* \[BULK_NEEDS_V2C\]/],
    ['an option glued to a value', ['walk', '-Phush', 'host'], /unknown option '-P'/],
    ['a long option with a value', ['walk', '--auth=hush', 'host'], /unknown option '--auth'/],
    [
      'a passphrase as protocol',
      ['walk', '-uanna', '-A', 'hush', '-a', 'hush', 'host'],
      /-a takes MD5, .* \[OPTION_INVALID\]/,
    ],
    ['a variable that is not set', ['walk', '-c', '${env:NO_SUCH}', 'host'], /NO_SUCH is not set/],
  ];
  for (const [what, args, message] of wrong) {
    it(`exits with 2 and an error for ${what}`, async () => {
      const got = await run(args);
      assert.match(got.stderr, message);
      assert.doesNotMatch(got.stderr, /hush|\n {4}at /);
      assert.deepEqual([got.code, got.stdout], [2, '']);
    });
  }
});
