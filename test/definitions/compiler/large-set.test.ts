import { deepEqual, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { StepCounter } from '../../support/step-counter.ts';

const work = new URL('./compile-large.ts', import.meta.url);

/** 2,800 objects with 10 attributes each, as many as the largest real set has; steps as `StepCounter` counts them. */
describe('a set as large as the largest real one', () => {
  const attributes = 28_000;
  let counter: StepCounter;
  let coldSteps: number;
  before(() => {
    counter = new StepCounter();
  });
  after(() => counter.close());

  it('compiles in a bounded number of steps per attribute', async () => {
    const { result, steps } = await counter.count(work, 'compileCold');
    deepEqual(result, { objects: 2_800, problems: 0 });
    coldSteps = steps;
    ok(steps < 250 * attributes, `${steps} steps`);
  });

  it('compiles again in a tenth of the steps, and every object stays the same value', async () => {
    const { result, steps } = await counter.count(work, 'compileAgain');
    deepEqual(result, { isSame: true });
    ok(steps < coldSteps / 10, `${steps} of ${coldSteps} steps`);
  });

  it('compares with itself in less than a step per attribute', async () => {
    const { result, steps } = await counter.count(work, 'compare');
    deepEqual(result, { isUnchanged: true });
    ok(steps < attributes, `${steps} steps`);
  });

  it('finds in a few steps per device which of 10,000 devices a changed object affects', async () => {
    await counter.count(work, 'compileChange');
    const { result, steps } = await counter.count(work, 'findAffected');
    deepEqual(result, { affected: 100 });
    ok(steps < 6 * 10_000, `${steps} steps`);
  });
});
