import { equal, ok } from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { env } from 'node:process';
import { after, before, describe, it } from 'node:test';
import { DefinitionEngine } from '../../../plugins/definitions-loader/worker/definition-engine.ts';
import { startThread } from '../../../plugins/definitions-loader/worker/start-thread.ts';
import { WorkerClient } from '../../../plugins/definitions-loader/worker/worker-client.ts';
import type { CandidateReport } from '../../../plugins/definitions-loader/worker/worker-messages.ts';
import { modulePath, nodeOptions } from '../../support/own-module.ts';
import { DefinitionDirectory } from './support/definition-directory.ts';
import { hostileTexts } from './support/hostile-texts.ts';
import type { RefuseAnswer, RefuseRequest } from './support/refuse-process.ts';

const rounds = env['WAYWISER_LONG'] === undefined ? 1 : 100;
const places = ['objects/x.yml', 'enums/integer/x.yml', 'object_groups/x.yml'];
const maxCpuMs = 200;
const maxAttempts = 5;
const script = modulePath(new URL('./support/refuse-process.ts', import.meta.url));

describe('hostile files', () => {
  let client: WorkerClient;
  let measured: ChildProcess;
  let died: Promise<never>;
  before(() => {
    client = new WorkerClient(startThread);
    // A process of its own, without the counters of coverage: they cost the parser as much again as its work.
    measured = fork(script, { execArgv: [...nodeOptions], env: { ...env, NODE_V8_COVERAGE: '' } });
    died = new Promise((_, reject) => {
      measured.once('exit', (code, signal) =>
        reject(new Error(`The measured process ended with ${code ?? signal}.`)),
      );
    });
    died.catch(() => {});
  });
  after(async () => {
    measured.disconnect();
    await Promise.all([client.close(), once(measured, 'exit')]);
  });

  async function measure(request: RefuseRequest): Promise<RefuseAnswer> {
    measured.send(request);
    const [answer] = await Promise.race([once(measured, 'message'), died]);
    return answer;
  }

  it('are sixty or more', () => ok(Object.keys(hostileTexts).length >= 60));

  for (const [name, text] of Object.entries(hostileTexts)) {
    it(`refuses ${name}`, async () => {
      for (const place of places) {
        const { problems, leastCpuMs } = await measure({ name, place, maxCpuMs, maxAttempts });
        refuse(problems, place);
        ok(leastCpuMs <= maxCpuMs, `${place} took ${leastCpuMs} ms`);
      }
      const [place = ''] = places;
      using directory = new DefinitionDirectory({ [place]: text });
      const sources = { directories: [directory.path] };
      for (let round = 0; round < rounds; round++) {
        directory.write({ [place]: again(text, round) });
        // The worker's core and this one: the hundred rounds take half the time.
        const report = client.ask({ type: 'read', sources, secretsDirectory: undefined, withCost: false });
        refuse(new DefinitionEngine({}).read(sources, undefined).problems, place);
        refuse((await report).problems, place);
      }
    });
  }
});

/** Other bytes, so that no cache answers; the file that is too large stays so. */
function again(text: string | Buffer, round: number): string | Buffer {
  return typeof text === 'string' ? `${text}\n#${round}` : text;
}

function refuse(problems: CandidateReport['problems'], place: string): void {
  const [first] = problems;
  equal(first?.level, 'error');
  equal(first?.file, place);
  equal(Object.hasOwn(Object.prototype, 'polluted'), false);
}
