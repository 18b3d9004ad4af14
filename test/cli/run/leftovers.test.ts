import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { findFreePort } from '../../support/free-port.ts';
import { CollectorProcess } from '../support/collector-process.ts';

const cases = [
  { what: 'a timer', start: `start() { setInterval(() => {}, 60_000); }`, says: '1 × timer', code: 0 },
  {
    what: 'a server',
    before: `import { createServer } from 'node:net';`,
    start: `start() { return new Promise((resolve) => createServer().listen(0, '127.0.0.1', () => resolve())); }`,
    says: '1 × TCP server',
    code: 0,
  },
  {
    what: 'a child process',
    before: `import { spawn } from 'node:child_process';`,
    start: `start({ onStop }) { const child = spawn('sleep', ['600'], { stdio: 'ignore' }); onStop(() => setTimeout(() => child.kill(), 1)); onStop(() => { throw new Error('broken'); }); child.kill = () => {}; process.on('exit', () => process.kill(child.pid)); }`,
    says: '1 × child process',
    code: 4,
  },
];

describe('a stop', { concurrency: 2 }, () => {
  for (const { what, before, start, says, code } of cases) {
    it(`ends the process although a plugin leaves ${what}, and names what was left`, async (t) => {
      const collector = new CollectorProcess(t);
      collector.writePlugin('careless', start, before);
      collector.write('waywiser.yml', 'plugins:\n  ./careless.js: {}\n');
      collector.run(['start']);
      await collector.reads('The collector is ready.');
      collector.kill('SIGTERM');
      assert.equal(await collector.exit, code, collector.stderr);
      const last = JSON.parse(collector.stderr.trim().split('\n').at(-1)!);
      assert.deepEqual(last.leftOpen, [says]);
      assert.deepEqual(last.pluginsNotBuiltIn, ['careless']);
    });
  }

  it('ends the process when the start failed after a plugin had opened something', async (t) => {
    const collector = new CollectorProcess(t);
    collector.writePlugin(
      'careless',
      `start() { setInterval(() => {}, 60_000); throw new Error('broken'); }`,
    );
    collector.write('waywiser.yml', 'plugins:\n  ./careless.js: {}\n');
    collector.run(['start']);
    assert.equal(await collector.exit, 1);
    assert.match(collector.stderr, /because: broken/);
  });

  it('writes its last lines to a pipe before it ends', async (t) => {
    const collector = new CollectorProcess(t);
    const text = `'x'.repeat(2 ** 20) + 'end'`;
    collector.writePlugin('loud', `start({ onStop }) { onStop(() => void process.stdout.write(${text})); }`);
    collector.write('waywiser.yml', 'plugins:\n  ./loud.js: {}\n');
    collector.run(['start']);
    await collector.reads('The collector is ready.');
    collector.kill('SIGTERM');
    assert.equal(await collector.exit, 0);
    assert.equal(collector.stdout.length, 2 ** 20 + 3);
  });

  it('leaves nothing open when a client has not read the 200 answers that it requested', async (t) => {
    for (const plugin of ['prometheus', 'http-api']) {
      const collector = new CollectorProcess(t);
      const port = await findFreePort();
      collector.write(
        'waywiser.yml',
        `plugins:\n  ${plugin}: { port: ${port} }\n  definitions-loader: { shipped: false, directories: [.] }\n`,
      );
      collector.run(['start']);
      await collector.reads('The collector is ready.');
      const client = connect(port, '127.0.0.1').on('error', () => {});
      t.after(() => client.destroy());
      const path = plugin === 'prometheus' ? '/metrics' : '/openapi.json';
      client.pause().write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(200));
      collector.kill('SIGTERM');
      assert.equal(await collector.exit, 0, collector.stderr);
      assert.doesNotMatch(collector.stderr, /left open/);
    }
  });
});
