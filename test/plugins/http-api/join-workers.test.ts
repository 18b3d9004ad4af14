import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinWorkers } from '../../../plugins/http-api/routes/join-workers.ts';

const none = { unknown: 0, up: 0, down: 0 };
const pipeline = (accepted: number, oldestSeconds: number) => ({
  pushed: accepted,
  processorFailures: {},
  outputs: { ndjson: { accepted, droppedBy: { full: 1 }, oldestSeconds } },
});
const own = { instance: 'lab', devices: 9, devicesByState: none, pipeline: pipeline(1, 3) };
const answerOf = (worker: string, state: object) => ({ worker, text: Buffer.from(JSON.stringify(state)) });

describe('the state of a collector with workers', () => {
  it('is the sum of its processes, with the age of the oldest batch', () => {
    const joined = joinWorkers(own, [
      answerOf('worker-1', { ...own, devicesByState: { ...none, up: 4 }, pipeline: pipeline(10, 7) }),
      answerOf('worker-2', {
        ...own,
        devicesByState: { ...none, up: 3, down: 2 },
        pipeline: pipeline(20, 5),
      }),
    ]);
    assert.deepEqual(joined, {
      instance: 'lab',
      devices: 9,
      devicesByState: { unknown: 0, up: 7, down: 2 },
      pipeline: {
        pushed: 31,
        processorFailures: {},
        outputs: { ndjson: { accepted: 31, droppedBy: { full: 3 }, oldestSeconds: 7 } },
      },
    });
  });

  it('names workers that do not answer, and does not know the states of their devices', () => {
    const joined = joinWorkers(own, [
      answerOf('worker-1', { ...own, devicesByState: { ...none, up: 4 } }),
      { worker: 'worker-2', text: undefined, error: new Error('it is suspended') },
    ]);
    assert.deepEqual(joined.devicesByState, { unknown: 5, up: 4, down: 0 });
    assert.deepEqual(joined.silentMembers, [{ name: 'worker-2', reason: 'it is suspended' }]);
  });
});
