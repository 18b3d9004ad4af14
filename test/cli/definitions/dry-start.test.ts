import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, readdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { getuid } from 'node:process';
import { describe, it, type TestContext } from 'node:test';
import { check } from '../../../cli/definitions/check.ts';
import type { StartProblem } from '../../../cli/definitions/dry-start.ts';
import { lockDirectory } from '../../../src/storage/directory-lock.ts';
import { writeFolder } from '../../kernel/support/scratch-folder.ts';
import { modulePath } from '../../support/own-module.ts';
import { printed } from '../support/printed.ts';

/** What a dry start of plugins finds; nothing may be written beside the configuration. */
async function findProblems(t: TestContext, plugins: string, keys = ''): Promise<StartProblem[]> {
  const text = `${keys}\nplugins:\n  definitions-loader: { shipped: false }\n${plugins}`;
  const folder = writeFolder({ 'waywiser.yml': text });
  let code = 0;
  const json = await printed(t, async () => {
    code = await check(undefined, { config: `${folder}/waywiser.yml`, json: true });
  });
  const { start } = JSON.parse(json);
  const hasErrors = start.some(({ level }: StartProblem) => level === 'error');
  assert.equal(code, hasErrors ? 1 : 0, json);
  assert.deepEqual(readdirSync(folder), ['waywiser.yml'], 'the dry start has written something');
  return start;
}

const trapNeeds = ['device-registry', 'http-routes', 'snmp-client', 'snmp-discovery', 'snmp-poller']
  .map((plugin) => `  ${plugin}: {}\n`)
  .join('');

describe('waywiser check of a configuration', () => {
  it('accepts one that would start', async (t) => {
    const plugins = `  http-api: { port: 0 }
  prometheus: {}
  ndjson: { file: ./records/all.ndjson }
  batch-files: { directory: ./batches }
  influx: { url: 'http://127.0.0.1:1', database: snmp, queue: disk }
`;
    assert.deepEqual(await findProblems(t, plugins), []);
  });

  it('warns of a port that is in use, and names the plugin that wants it', async (t) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    for (const plugin of ['http-api', 'prometheus']) {
      const [problem, ...others] = await findProblems(t, `  ${plugin}: { port: ${port} }\n`);
      assert.deepEqual(
        [problem?.level, problem?.rule, problem?.plugin, others],
        ['warning', 'HTTP_ADDRESS_UNUSABLE', plugin, []],
      );
      assert.match(problem?.message ?? '', /another program uses the port/);
    }
  });

  it('lists what plugins would refuse, each with its plugin', async (t) => {
    const folder = writeFolder({ 'some.pem': 'no certificate', file: '' });
    const tls = `{ certificate: ${folder}/some.pem, key: ${folder}/some.pem }`;
    const problems = await findProblems(
      t,
      `  http-api: { port: 0, tls: ${tls} }
  prometheus: { token: '\${env:PATH}' }
  influx: { url: 'http://127.0.0.1:1', database: a, bucket: b }
  http: { url: 'https://127.0.0.1:1', tls: { ca: ${folder}/missing.pem } }
  network-discovery: { exclude: [nothing] }
  batch-files: { directory: ${folder}/file/below }
`,
    );
    assert.deepEqual(Object.fromEntries(problems.map(({ plugin, rule }) => [plugin, rule])), {
      'http-api': 'HTTP_TLS_UNUSABLE',
      prometheus: 'PROMETHEUS_NO_PORT',
      influx: 'INFLUX_TARGET',
      http: 'OUTPUT_TLS_FILE',
      'network-discovery': 'SCAN_EXCLUDE_INVALID',
      'batch-files': 'DIRECTORY_NOT_LOCKED',
    });
  });

  it('names an output that cannot receive notifications, also where its options decide it', async (t) => {
    const at = "url: 'http://127.0.0.1:1'";
    for (const [plugins, rule] of [
      [
        `  prometheus-remote-write: { ${at} }\n  snmp-traps: { outputs: [prometheus-remote-write] }\n`,
        'TRAP_OUTPUT_WITHOUT_EVENTS',
      ],
      [`  otlp: { ${at} }\n  snmp-traps: { outputs: [otlp] }\n`, 'TRAP_OUTPUT_WITHOUT_EVENTS'],
      [
        `  otlp: { ${at}, logs_url: 'http://127.0.0.1:1/v1/logs' }\n  snmp-traps: { outputs: [otlp] }\n`,
        undefined,
      ],
      ['  ndjson: {}\n  snmp-traps: { outputs: [ndjson] }\n', undefined],
      ['  ndjson: {}\n  snmp-traps: { outputs: [file] }\n', 'TRAP_OUTPUT_UNKNOWN'],
    ] as const) {
      const [problem, ...others] = await findProblems(t, plugins + trapNeeds);
      assert.deepEqual([problem?.rule, problem?.plugin, others], [rule, rule && 'snmp-traps', []]);
    }
  });

  it('warns of an output whose plugin does not say whether it takes notifications', async (t) => {
    const index = JSON.stringify(modulePath(new URL('../../../src/index.ts', import.meta.url)));
    const pluginOf = (name: string, events: string) => `import { defineOutput } from ${index};
export default defineOutput({ name: '${name}', summary: 'Keeps nothing.', ${events} open: () => ({ write() {} }) });
`;
    const folder = writeFolder({
      'package.json': '{ "type": "module" }',
      'silent.js': pluginOf('silent', ''),
      'says.js': pluginOf('says', 'events: true,'),
    });
    const outputs = `  ${folder}/silent.js: {}\n  ${folder}/says.js: {}\n  ndjson: {}\n`;
    for (const [traps, rules] of [
      ['  snmp-traps: {}\n', ['TRAP_OUTPUT_UNDECLARED']],
      ['  snmp-traps: { outputs: [silent] }\n', ['TRAP_OUTPUT_UNDECLARED']],
      ['  snmp-traps: { outputs: [says, ndjson] }\n', []],
      ['', []],
    ] as const) {
      const problems = await findProblems(t, outputs + traps + trapNeeds);
      assert.deepEqual(
        problems.map(({ rule }) => rule),
        rules,
      );
      for (const { level, plugin, message } of problems) {
        assert.deepEqual([level, plugin], ['warning', 'snmp-traps']);
        assert.match(message, /^The plugin of the output "silent" does not say/);
      }
    }
  });

  it('refuses an API that everybody could reach', async (t) => {
    const [problem] = await findProblems(t, '  http-api: { host: 0.0.0.0, port: 0 }\n');
    assert.equal(problem?.rule, 'HTTP_UNPROTECTED');
  });

  it('lists wrong options, unknown plugins and missing secrets beside the problems of definitions', async (t) => {
    const wrong = `  influxx: {}\n  influx: { url: 'http://127.0.0.1:1', token: '\${env:NOT_SET_ANYWHERE}', colour: red }\n`;
    const [problem] = await findProblems(t, wrong);
    assert.equal(problem?.rule, 'CONFIG_INVALID');
    for (const part of [/Did you mean "influx"/, /"colour" is not a known key/])
      assert.match(problem!.message, part);
  });

  it('refuses a state directory that cannot be written', async (t) => {
    if (getuid?.() === 0) {
      const folder = writeFolder({ file: '' });
      const [problem] = await findProblems(t, '', `state_directory: ${folder}/file/state`);
      assert.equal(problem?.rule, 'DIRECTORY_NOT_LOCKED');
      return;
    }
    const folder = writeFolder({ 'locked/file': '' });
    chmodSync(`${folder}/locked`, 0o500);
    const [problem] = await findProblems(t, '', `state_directory: ${folder}/locked/state`);
    assert.match(problem?.message ?? '', /permission is denied/);
  });

  it('warns of a disk queue outside of the state directory that a running collector holds', async (t) => {
    const queues = writeFolder({});
    const { onLost, onWatch, signal } = { onLost() {}, onWatch() {}, signal: new AbortController().signal };
    const lock = await lockDirectory(`${queues}/influx`, { onLost, onWatch, signal });
    t.after(() => lock.release());
    const output = `{ url: 'http://127.0.0.1:1', database: snmp, queue: disk, disk_queue: { directory: ${queues} } }`;
    const problems = await findProblems(t, `  influx: ${output}\n  influx/other: ${output}\n`);
    assert.deepEqual(
      problems.map(({ level, rule, plugin }) => [level, rule, plugin]),
      [['warning', 'DIRECTORY_IN_USE', 'influx']],
    );
  });

  it('refuses an unknown output of events, and accepts one of the configuration', async (t) => {
    const output = `influx: { url: 'http://127.0.0.1:1', database: snmp }`;
    assert.deepEqual(await findProblems(t, `  ${output}\n  events: { outputs: [influx] }\n`), []);
    const [problem, ...others] = await findProblems(t, `  ${output}\n  events: { outputs: [influxx] }\n`);
    assert.deepEqual([problem?.level, problem?.rule, others], ['error', 'EVENTS_OUTPUT_UNKNOWN', []]);
    assert.match(problem?.message ?? '', /"influxx".*Outputs are: influx\.$/);
  });

  it('warns of a state directory that a running collector holds', async (t) => {
    const state = writeFolder({});
    const { onLost, onWatch, signal } = { onLost() {}, onWatch() {}, signal: new AbortController().signal };
    const lock = await lockDirectory(state, { onLost, onWatch, signal });
    t.after(() => lock.release());
    const [problem] = await findProblems(t, '', `state_directory: ${state}`);
    assert.deepEqual([problem?.level, problem?.rule], ['warning', 'DIRECTORY_IN_USE']);
    assert.match(problem?.message ?? '', new RegExp(`process ${process.pid} `));
  });
});
