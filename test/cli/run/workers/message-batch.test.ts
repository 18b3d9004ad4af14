import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { MessageBatch } from '../../../../cli/run/workers/message-batch.ts';

function setUp() {
  const sent: (readonly string[])[] = [];
  return { sent, batch: new MessageBatch<string>((messages) => void sent.push(messages)) };
}

test('messages of one turn of the event loop are sent together, in their order', async () => {
  const { sent, batch } = setUp();
  batch.add('first');
  await Promise.resolve();
  batch.add('second');
  assert.deepEqual(sent, []);
  await turn();
  assert.deepEqual(sent, [['first', 'second']]);
});

test('messages of later turns are sent later', async () => {
  const { sent, batch } = setUp();
  batch.add('first');
  await turn();
  batch.add('second');
  await turn();
  assert.deepEqual(sent, [['first'], ['second']]);
});

test('what waits can be sent at once, and is not sent again', async () => {
  const { sent, batch } = setUp();
  batch.add('last');
  batch.flush();
  assert.deepEqual(sent, [['last']]);
  await turn();
  batch.flush();
  assert.deepEqual(sent, [['last']]);
});
