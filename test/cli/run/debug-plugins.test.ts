import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CollectorProcess } from '../support/collector-process.ts';

describe('the stack of an error in a plugin', () => {
  for (const [words, expected] of [
    [['start'], false],
    [['start', '--debug-plugins'], true],
  ] as const) {
    it(`is ${expected ? '' : 'not '}in the log of waywiser ${words.join(' ')}`, async (t) => {
      const collector = new CollectorProcess(t);
      collector.writePlugin(
        'failing',
        `start({ events }) { events.on('collector.ready', function sayHello() { throw new Error('in a listener'); }); }`,
      );
      collector.write('waywiser.yml', 'plugins:\n  ./failing.js: {}\n');
      collector.run(words);
      await collector.reads('The collector is ready.');
      collector.kill('SIGTERM');
      assert.equal(await collector.exit, 0, collector.stderr);
      assert.match(collector.stderr, /in a listener/);
      assert.equal(/sayHello .*failing\.js:\d+:\d+/.test(collector.stderr), expected, collector.stderr);
    });
  }
});
