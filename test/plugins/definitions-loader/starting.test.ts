import { equal, match, ok } from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { CollectorProcess } from '../../cli/support/collector-process.ts';

describe('waywiser start with broken definitions', () => {
  it('exits with an error and all problems; after one good start it runs degraded', async (t) => {
    const collector = new CollectorProcess(t);
    mkdirSync(join(collector.folder, 'definitions', 'objects'), { recursive: true });
    const write = (first: string, second: string) => {
      collector.write('definitions/objects/a.yml', first);
      collector.write('definitions/objects/b.yml', second);
    };
    collector.write('waywiser.yml', 'plugins:\n  definitions-loader: { shipped: false }\n');

    write('A: { attributs: {} }\n', 'B: [\n');
    collector.run(['start']);
    ok((await collector.exit) !== 0);
    match(collector.stderr, /objects\/a\.yml:1:6 {2}unknown-key/);
    match(collector.stderr, /objects\/b\.yml:2:1 {2}syntax/);

    write('A: { attributes: {} }\n', 'B: { attributes: {} }\n');
    collector.run(['start']);
    await collector.reads('The collector is ready.');
    collector.kill('SIGTERM');
    equal(await collector.exit, 0, collector.stderr);

    write('A: { attributs: {} }\n', 'B: { attributes: {} }\n');
    collector.run(['start']);
    await collector.reads('uses the last good definitions instead');
    collector.kill('SIGTERM');
    equal(await collector.exit, 0, collector.stderr);
  });
});
