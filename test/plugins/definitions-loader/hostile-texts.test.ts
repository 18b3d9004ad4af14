import { equal, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DefinitionEngine } from '../../../plugins/definitions-loader/worker/definition-engine.ts';
import { startThread } from '../../../plugins/definitions-loader/worker/start-thread.ts';
import { WorkerClient } from '../../../plugins/definitions-loader/worker/worker-client.ts';
import type { CandidateReport } from '../../../plugins/definitions-loader/worker/worker-messages.ts';
import { readingLimits } from '../../../src/definitions/checking/reading-limits.ts';
import { isLong } from '../../support/long-run.ts';
import { StepCounter } from '../../support/step-counter.ts';
import { DefinitionDirectory } from './support/definition-directory.ts';
import { hostileTexts } from './support/hostile-texts.ts';

const rounds = isLong ? 40 : 1;
const places = ['objects/x.yml', ...(isLong ? ['enums/integer/x.yml', 'object_groups/x.yml'] : [])];
/** Twenty per octet of the largest file: the work must not grow faster than the size of a text. */
const maxSteps = 20 * readingLimits.maxFileBytes;
const refuseText = new URL('./support/refuse-text.ts', import.meta.url);

describe('a hostile file', () => {
  let client: WorkerClient;
  let counter: StepCounter;
  before(() => {
    client = new WorkerClient(startThread);
    counter = new StepCounter();
  });
  after(() => Promise.all([client.close(), counter.close()]));

  it('is tested in at least sixty forms', () => ok(Object.keys(hostileTexts).length >= 60));

  for (const [name, text] of Object.entries(hostileTexts)) {
    it(`is refused in a bounded number of steps: ${name}`, async () => {
      for (const place of places) {
        const { result, steps } = await counter.count(refuseText, 'refuseText', name, place);
        refuse(result as CandidateReport['problems'], place);
        ok(steps > 0 && steps <= maxSteps, `${place} took ${steps} steps`);
      }
      const [place = ''] = places;
      using directory = new DefinitionDirectory({ [place]: text });
      const sources = { directories: [directory.path] };
      for (let round = 0; round < rounds; round++) {
        directory.write({ [place]: again(text, round) });
        // On two cores at the same time: many rounds take half the time.
        const report = client.ask({ type: 'read', sources, secretsDirectory: undefined, found: undefined });
        refuse(new DefinitionEngine({}).read(sources, undefined).problems, place);
        refuse((await report).problems, place);
      }
    });
  }
});

/** The text with other bytes, so that no cache has its result. */
function again(text: string | Buffer, round: number): string | Buffer {
  return typeof text === 'string' ? `${text}\n#${round}` : text;
}

function refuse(problems: CandidateReport['problems'], place: string): void {
  const [first] = problems;
  equal(first?.level, 'error');
  equal(first?.file, place);
  equal(Object.hasOwn(Object.prototype, 'polluted'), false);
}
