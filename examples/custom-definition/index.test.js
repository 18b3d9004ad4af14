import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { rowsOf } from 'waywiser';
import { pollRecording } from 'waywiser/testing';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
let batches;

// The device group is found by the sysObjectID of the recording.
before(async () => {
  batches = await pollRecording({ definitions: [here('definitions')], recording: here('fan.snmprec') });
});

it('recognises the device and asks for its fans alone', () => {
  assert.deepEqual(
    batches.map(({ record }) => record),
    ['EXAMPLE-FAN-MIB::fanEntry'],
  );
});

it('makes a row of each fan', () => {
  const fans = [...rowsOf(batches[0])];
  assert.deepEqual(
    fans.map(({ labels }) => labels),
    [
      { 'fan.index': '1', 'fan.name': 'front' },
      { 'fan.index': '2', 'fan.name': 'rear' },
    ],
  );
  assert.deepEqual(fans[1].values, {
    'fan.state.name': 'stalled',
    'fan.state.id': 2,
    'fan.speed': 0,
    'fan.stalls': 3,
    'fan.temperature': 35.8,
  });
});
