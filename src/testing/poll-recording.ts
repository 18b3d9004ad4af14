import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createPluginFinder } from '../collector/built-in-plugins.ts';
import { WaywiserError } from '../kernel/errors.ts';
import { serviceToken } from '../kernel/service-token.ts';
import type { Batch } from '../model/batch.ts';
import type { Recording } from './replay/recording/recording.ts';
import { startReplayAgent } from './replay/replay-agent.ts';
import { startTestCollector, type TestCollector } from './test-collector.ts';

export interface PollRecordingOptions {
  /** Directories of definitions; a later one wins by id. */
  readonly definitions: readonly string[];
  /** A file, or a recording from `parseRecording`. */
  readonly recording: string | Recording;
  /** By default those that the sysObjectID selects. */
  readonly deviceGroups?: readonly string[];
}

/**
 * Polls a recorded device once with a real collector: it loads the definitions, recognises and discovers the device, and polls it
 * over UDP on loopback. Rejects when the definitions have errors or define nothing of the device.
 */
export async function pollRecording({
  definitions,
  recording,
  deviceGroups,
}: PollRecordingOptions): Promise<readonly Batch[]> {
  await using agent = await startReplayAgent({ recording });
  const folder = await mkdtemp(join(tmpdir(), 'waywiser-recorded-'));
  try {
    await writeDevice(folder, { ip: '127.0.0.1', port: agent.port, device_groups: deviceGroups });
    const collector = await startTestCollector({
      plugins: await findPlugins([...definitions.map((path) => resolve(path)), folder]),
    });
    try {
      return await pollOnce(collector);
    } finally {
      await collector.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const deviceName = 'recorded';

/** JSON is YAML. */
async function writeDevice(folder: string, device: object): Promise<void> {
  const settings = { ...device, version: '2c', communities: ['public'], timeout: 1000, retries: 2 };
  await mkdir(join(folder, 'devices'));
  await writeFile(join(folder, 'devices', 'recorded.yml'), JSON.stringify({ [deviceName]: settings }));
}

async function findPlugins(directories: readonly string[]) {
  const finder = createPluginFinder('.');
  const find = async (name: string, options: object = {}) => ({ ...(await finder.find(name)), options });
  return Promise.all([
    find('definitions-loader', { shipped: false, directories }),
    find('device-registry'),
    find('snmp-client'),
    find('snmp-discovery'),
    find('http-routes'),
    find('snmp-poller'),
  ]);
}

// The parts of the services that are used here: tokens are compared by name.
const registry = serviceToken<{ findDeviceNamed(name: string): object }>('device-registry');
const poller = serviceToken<{ pollNow(device: object): Promise<readonly Batch[]> }>('snmp-poller');

async function pollOnce(collector: TestCollector): Promise<readonly Batch[]> {
  const discovered = new Promise<void>((done, fail) => {
    collector.events.on('discovery.completed', () => done());
    collector.events.on('discovery.failed', ({ message }) => fail(new Error(message)));
  });
  const poll = () =>
    collector.getService(poller).pollNow(collector.getService(registry).findDeviceNamed(deviceName));
  try {
    return await poll();
  } catch (error) {
    if (!(error instanceof WaywiserError) || error.code !== 'POLL_NOT_PLANNED') throw error;
    await discovered;
    return poll();
  } finally {
    discovered.catch(() => {});
  }
}
