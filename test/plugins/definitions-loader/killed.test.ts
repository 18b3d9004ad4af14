import { equal, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { env, execPath } from 'node:process';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSnapshot, snapshotPath } from '../../../plugins/definitions-loader/snapshot/snapshot-file.ts';
import { DefinitionEngine } from '../../../plugins/definitions-loader/worker/definition-engine.ts';
import { isLong } from '../../support/long-run.ts';
import { modulePath, nodeOptions } from '../../support/own-module.ts';
import { baseSet } from './support/base-set.ts';
import { DefinitionDirectory } from './support/definition-directory.ts';

const kills = isLong ? 50 : 2;
const script = modulePath(new URL('./support/apply-process.ts', import.meta.url));

describe('a collector that is killed while it applies', () => {
  it('finds the complete old or new definitions afterwards', {
    timeout: 200_000,
  }, async () => {
    using directory = new DefinitionDirectory(baseSet);
    using state = new DefinitionDirectory();
    let generation = 1;
    for (let kill = 0; kill < kills; kill++) {
      directory.write(baseSet);
      const child = spawn(execPath, [...nodeOptions, script, directory.path, state.path], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      await sleep((kill * 37) % 150);
      child.kill('SIGKILL');
      await once(child, 'exit');

      const snapshot = readSnapshot(snapshotPath(state.path));
      ok(snapshot !== undefined, 'the snapshot is complete');
      ok(snapshot.generation >= generation, 'and not older than the last one');
      generation = snapshot.generation;
      directory.write({ 'objects/broken.yml': '[' });
      const engine = new DefinitionEngine({ ...env });
      const sources = { directories: [directory.path] };
      ok(engine.read(sources, undefined).problems.some(({ level }) => level === 'error'));
      const restored = engine.restore(snapshotPath(state.path), undefined);
      equal(restored?.problems.filter(({ level }) => level === 'error').length, 0);
      const { objects = 0 } = restored?.counts ?? {};
      ok(objects === 3 || objects === 203, `${objects} objects are neither the old nor the new`);
      directory.write({ 'objects/broken.yml': '' });
    }
  });
});
