import { cpuUsage } from 'node:process';
import { DefinitionEngine } from '../../../../plugins/definitions-loader/worker/definition-engine.ts';
import type { CandidateReport } from '../../../../plugins/definitions-loader/worker/worker-messages.ts';
import { DefinitionDirectory } from './definition-directory.ts';
import { hostileTexts } from './hostile-texts.ts';

export interface RefuseRequest {
  readonly name: string;
  readonly place: string;
  /** Fewer attempts are enough when one stays below. */
  readonly maxCpuMs: number;
  readonly maxAttempts: number;
}

export interface RefuseAnswer {
  readonly problems: CandidateReport['problems'];
  /** Of all attempts: others use the machine too. */
  readonly leastCpuMs: number;
}

/** A process that reads hostile texts on request and says what processor time they cost it. */
process.on('message', ({ name, place, maxCpuMs, maxAttempts }: RefuseRequest) => {
  using directory = new DefinitionDirectory({ [place]: hostileTexts[name] ?? '' });
  const sources = { directories: [directory.path] };
  let problems: CandidateReport['problems'] = [];
  let leastCpuMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < maxAttempts && leastCpuMs > maxCpuMs; attempt++) {
    const begun = cpuUsage();
    ({ problems } = new DefinitionEngine({}).read(sources, undefined));
    const { user, system } = cpuUsage(begun);
    leastCpuMs = Math.min(leastCpuMs, (user + system) / 1000);
  }
  const answer: RefuseAnswer = { problems, leastCpuMs };
  process.send?.(answer);
});
process.once('disconnect', () => process.exit());
