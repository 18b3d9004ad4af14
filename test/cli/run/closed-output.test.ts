import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { until } from '../../support/until.ts';
import { CollectorProcess } from '../support/collector-process.ts';

describe('a collector whose log is no longer read', () => {
  it('works on, and stops with 0', async (t) => {
    const collector = new CollectorProcess(t);
    collector.writePlugin(
      'talker',
      `start({ log, onStop }) {
         let lines = 0;
         const timer = setInterval(() => {
           log.warn('a line');
           console.log('another');
           if (existsSync('closed') && ++lines === 20) writeFileSync('worked-on', '');
         }, 5);
         onStop(() => clearInterval(timer));
       }`,
      `import { existsSync, writeFileSync } from 'node:fs';`,
    );
    collector.write('waywiser.yml', 'plugins:\n  ./talker.js: {}\n');
    collector.run(['start']);
    await collector.reads('a line');
    collector.closeOutputs();
    collector.write('closed', '');
    await until(() => existsSync(join(collector.folder, 'worked-on')));
    collector.kill('SIGTERM');
    assert.equal(await collector.exit, 0);
  });
});
