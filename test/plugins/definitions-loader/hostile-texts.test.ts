import { equal, ok } from 'node:assert/strict';
import { cpuUsage, env } from 'node:process';
import { after, before, describe, it } from 'node:test';
import { DefinitionEngine } from '../../../plugins/definitions-loader/worker/definition-engine.ts';
import { startThread } from '../../../plugins/definitions-loader/worker/start-thread.ts';
import { WorkerClient } from '../../../plugins/definitions-loader/worker/worker-client.ts';
import type { CandidateReport } from '../../../plugins/definitions-loader/worker/worker-messages.ts';
import { DefinitionDirectory } from './support/definition-directory.ts';
import { hostileTexts } from './support/hostile-texts.ts';

const rounds = env['WAYWISER_LONG'] === undefined ? 1 : 100;
const places = ['objects/x.yml', 'enums/integer/x.yml', 'object_groups/x.yml'];
const maxCpuMs = 200;

describe('hostile files', () => {
  let client: WorkerClient;
  before(() => {
    client = new WorkerClient(startThread);
  });
  after(() => client.close());

  it('are sixty or more', () => ok(Object.keys(hostileTexts).length >= 60));

  for (const [name, text] of Object.entries(hostileTexts)) {
    it(`refuses ${name}`, async () => {
      for (const place of places) {
        using directory = new DefinitionDirectory({ [place]: text });
        const sources = { directories: [directory.path] };
        const cpuMs = leastCpuMs(() => refuse(new DefinitionEngine({}).read(sources, undefined), place));
        ok(cpuMs <= maxCpuMs, `${place} took ${cpuMs} ms`);
      }
      const [place = ''] = places;
      using directory = new DefinitionDirectory({ [place]: text });
      const sources = { directories: [directory.path] };
      for (let round = 0; round < rounds; round++) {
        directory.write({ [place]: again(text, round) });
        // The worker's core and this one: the hundred rounds take half the time.
        const report = client.ask({ type: 'read', sources, secretsDirectory: undefined, withCost: false });
        refuse(new DefinitionEngine({}).read(sources, undefined), place);
        refuse(await report, place);
      }
    });
  }
});

/** Other bytes, so that no cache answers; the file that is too large stays so. */
function again(text: string | Buffer, round: number): string | Buffer {
  return typeof text === 'string' ? `${text}\n#${round}` : text;
}

function refuse({ problems }: CandidateReport, place: string): void {
  const [first] = problems;
  equal(first?.level, 'error');
  equal(first?.file, place);
  equal(Object.hasOwn(Object.prototype, 'polluted'), false);
}

/** Of up to five runs: others use the machine too. */
function leastCpuMs(run: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 5 && least > maxCpuMs; attempt++) {
    const begun = cpuUsage();
    run();
    const { user, system } = cpuUsage(begun);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
