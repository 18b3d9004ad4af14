import { deepEqual } from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDefinitions } from '../../../plugins/definitions-loader/commands.ts';
import { rowsOf } from '../../../src/index.ts';
import { shippedDefinitions } from '../../../src/own-package.ts';
import { pollRecording } from '../../../src/testing/poll-recording.ts';
import { parseRecording } from '../../../src/testing/replay/recording/load-recording.ts';

/** The last value of each field. Fails when the definitions have an error. */
export async function pollDraft(
  out: string,
  group: string,
  from: string,
  withShipped: boolean,
): Promise<Map<string, unknown>> {
  mkdirSync(join(out, 'device_groups'));
  writeFileSync(join(out, 'device_groups/drafted.yml'), `drafted: { object_groups: [${group}] }\n`);
  const directories = withShipped ? [shippedDefinitions(), out] : [out];
  const { problems } = readDefinitions({ directories }, undefined);
  deepEqual(
    problems.filter(({ level }) => level === 'error'),
    [],
  );
  const batches = await pollRecording({
    definitions: directories,
    recording: existsSync(from) ? from : parseRecording(from),
    deviceGroups: ['drafted'],
  });
  const rows = batches.flatMap((batch) => [...rowsOf(batch)]);
  return new Map(
    rows.flatMap(({ labels, values }) => [...Object.entries(labels), ...Object.entries(values)]),
  );
}
