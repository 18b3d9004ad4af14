import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import events from '../../../plugins/events/index.ts';
import type { Batch } from '../../../src/index.ts';
import { createRecordingOutput } from '../../../src/testing/index.ts';
import { startApi } from '../http-api/support/api-stack.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';

const groups = 'device_groups: [plain]';
const kept = { name: 'kept', port: 1, groups };
const gone = { name: 'gone', port: 2, groups };
const fresh = { name: 'fresh', port: 3, groups };

describe('order of events', () => {
  it('puts definitions.changed before the devices it adds, changes and removes', {
    timeout: 20_000,
  }, async (t) => {
    const folder = new DefinitionFolder(t);
    folder.writeDevices([kept, gone]);
    const output = createRecordingOutput();
    const source = {
      plugin: events,
      options: { outputs: ['recording'], events: ['definitions.*', 'device.*', 'discovery.*'] },
    };
    const api = await startApi(t, folder, { more: [{ plugin: output.plugin }, source] });
    const stream = await fetch(`${api.baseUrl}/api/v1/events`);

    folder.writeDevices([{ ...kept, groups: 'device_groups: [switch]' }, fresh]);
    assert.equal((await api.post('/api/v1/snmp/apply-definitions')).status, 200);

    const order = ['definitions.changed', 'device.added fresh', 'device.changed kept', 'device.removed gone'];
    const text = await readUntil(stream, /event: discovery\.started\ndata: .*"fresh"/);
    const sent = [...text.matchAll(/event: (.*)\ndata: (.*)\n/g)].map(([, name, data]) => {
      const { device } = JSON.parse(data!);
      return device === undefined ? name : `${name} ${device.name}`;
    });
    // Nothing answers for the two older devices: what is reported of that may come at any moment.
    const caused = sent.filter((event) => !/^(device\.state|discovery\.\w+ (kept|gone))/.test(event!));
    assert.deepEqual(caused.slice(0, 5), [...order, 'discovery.started fresh']);
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );

    const { generation } = JSON.parse(/event: definitions\.changed\ndata: (.*)\n/.exec(text)![1]!);
    const batches = await output.waitFor((all) =>
      all.some(({ record }) => record === 'waywiser::discoveryStarted'),
    );
    const records = batches.map(describeBatch);
    const first = records.indexOf(`definitionsChanged of test in ${generation}`);
    const later = records.slice(first).filter((text) => !/^(deviceState|discovery\w+) of/.test(text));
    assert.deepEqual(later.slice(0, 5), [
      `definitionsChanged of test in ${generation}`,
      `definitionChange of test in ${generation}`,
      `deviceAdded of fresh in ${generation}`,
      `deviceChanged of kept in ${generation}`,
      `deviceRemoved of gone in ${generation}`,
    ]);
  });

  it('discovers a device that comes with forced definitions once, as a new one', {
    timeout: 20_000,
  }, async (t) => {
    const folder = new DefinitionFolder(t);
    folder.writeDevices([kept]);
    const { post, baseUrl } = await startApi(t, folder);
    const stream = await fetch(`${baseUrl}/api/v1/events?name=discovery.started`);
    folder.writeDevices([kept, fresh]);
    await post('/api/v1/snmp/apply-definitions?force_rediscovery=true');
    const text = await readUntil(stream, /"fresh"/);
    const ofFresh = [...text.matchAll(/data: (.*)\n/g)]
      .map(([, data]) => JSON.parse(data!))
      .filter(({ device }) => device.name === 'fresh');
    assert.deepEqual(
      ofFresh.map(({ cause }) => cause),
      ['initial'],
    );
  });
});

function describeBatch({ record, device, generation }: Batch): string {
  return `${record.replace('waywiser::', '')} of ${device.name} in ${generation}`;
}

/** The text of an event stream up to and including the first event that matches `wanted`. */
async function readUntil(response: Response, wanted: RegExp): Promise<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!wanted.test(text) || !text.endsWith('\n\n')) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`The stream ended before ${wanted}: ${text}`);
    text += value;
  }
  await reader.cancel();
  return text;
}
