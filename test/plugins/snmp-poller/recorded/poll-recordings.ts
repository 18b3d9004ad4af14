import type { TestContext } from 'node:test';
import { loadRecording, startReplayAgent } from '../../../../src/testing/index.ts';
import { shippedDirectory } from '../../../shipped/shipped.ts';
import { DefinitionFolder } from '../../support/definition-folder.ts';
import { startPolling } from '../support/poller-stack.ts';
import { expectRecords } from './expected-records.ts';
import { listImplausible } from './implausible-values.ts';
import { walkByNetSnmp } from './net-snmp-walk.ts';
import { readRawDefinitions } from './raw-definitions.ts';
import { linesOf, type ShownRecord, showBatch } from './shown-records.ts';

/** The records of one recorded device, as lines. Those of the vocabulary are only in `reviewed`. */
export interface PolledRecording {
  readonly name: string;
  /** Computed from the output of net-snmp's tools. */
  readonly expected: readonly string[];
  readonly overV2c: readonly string[];
  readonly overV3: readonly string[];
  readonly reviewed: readonly string[];
  readonly impossible: readonly string[];
  /** Requests that its agents could not decode. */
  readonly malformed: number;
}

/** OIDs that a recording has twice, with different values. */
const twice: Readonly<Record<string, readonly string[]>> = {
  'netapp-fas3270': ['1.3.6.1.6.3.15.1.1.6.0'],
};

const protocols = [
  ['md5', 'des'],
  ['sha', 'aes'],
  ['sha224', 'aes192'],
  ['sha256', 'aes256'],
  ['sha384', 'aes192c'],
  ['sha512', 'aes256c'],
] as const;

/** Discovers and polls the devices of these files over v2c and v3, for every shipped object, in one collector. */
export async function pollRecordings(
  test: TestContext,
  files: readonly string[],
): Promise<PolledRecording[]> {
  const definitions = readRawDefinitions();
  const folder = new DefinitionFolder(test, {}, shippedDirectory);
  folder.write('device_groups/all.yml', `all: { object_groups: [${definitions.objectGroups.join(', ')}] }\n`);
  const devices: string[] = [];
  const expectations = await Promise.all(
    files.map(async (file, i) => {
      const recording = await loadRecording(file);
      const name = file.replace(/^.*\/|\.snmprec.*$/g, '');
      const [authProtocol, privProtocol] = protocols[i % protocols.length]!;
      const user = {
        authProtocol,
        privProtocol,
        authPassphrase: 'first phrase',
        privPassphrase: 'second phrase',
      };
      const agent = await startReplayAgent({ recording });
      const secured = await startReplayAgent({ recording, users: [{ name: 'reader', ...user }] });
      test.after(() => Promise.all([agent.close(), secured.close()]));
      devices.push(
        `"${name} v2c": { ip: 127.0.0.1, port: ${agent.port}, version: 2c, communities: [public] }`,
        `"${name} v3": { ip: 127.0.0.1, port: ${secured.port}, version: 3, v3_credentials: [{ username: reader, authentication_protocol: ${authProtocol}, authentication_passphrase: first phrase, privacy_protocol: ${privProtocol}, privacy_passphrase: second phrase }] }`,
      );
      const walk = await walkByNetSnmp(agent, twice[name]);
      const countMalformed = () => agent.counters.refused.malformed + secured.counters.refused.malformed;
      return { name, expected: linesOf(expectRecords(definitions, walk)), countMalformed };
    }),
  );
  folder.write('defaults/device.yml', 'default: { timeout: 10000, device_groups: [all] }\n');
  folder.write('devices/recorded.yml', `${devices.join('\n')}\n`);
  const { discovered, poll } = await startPolling(test, folder, {
    poller: { counters: { rate: false } },
    discovery: { starts_per_second: 1000 },
  });
  await discovered();
  const showAll = async (device: string) => (await poll(device)).map(showBatch);
  const ofTables = (records: readonly ShownRecord[]) =>
    linesOf(records.filter(({ title }) => title.includes('::')));
  const polled: PolledRecording[] = [];
  for (const { name, expected, countMalformed } of expectations) {
    const v2c = await showAll(`${name} v2c`);
    const overV3 = ofTables(await showAll(`${name} v3`));
    const overV2c = ofTables(v2c);
    polled.push({
      name,
      expected,
      overV2c,
      overV3,
      reviewed: linesOf(v2c),
      impossible: listImplausible(name, v2c),
      malformed: countMalformed(),
    });
  }
  return polled;
}
