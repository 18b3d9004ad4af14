import { Session } from 'node:inspector';
import { pathToFileURL } from 'node:url';

/** A function of a module, and what it is called with. */
export interface StepRequest {
  readonly module: string;
  readonly name: string;
  readonly parameters: readonly unknown[];
}

export interface StepAnswer {
  readonly result: unknown;
  readonly steps: number;
}

const session = new Session();
session.connect();
session.post('Profiler.enable');
// Before any module is loaded: only functions that are compiled from now on have counters.
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

process.on('message', async ({ module, name, parameters }: StepRequest) => {
  const { [name]: run } = await import(pathToFileURL(module).href);
  takeSteps();
  const result = await run(...parameters);
  const answer: StepAnswer = { result, steps: takeSteps() };
  process.send?.(answer);
});
process.once('disconnect', () => process.exit());

/** How often blocks of JavaScript were run since the last call. */
function takeSteps(): number {
  let steps = 0;
  session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error !== null) throw error;
    for (const { functions } of result) {
      for (const { ranges } of functions) for (const { count } of ranges) steps += count;
    }
  });
  return steps;
}
