import { join } from 'node:path';
import { deviceKey } from '../../src/index.ts';
import { Journal, type JournalWriter } from '../../src/storage/index.ts';
import type { Generation } from '../definitions-loader/service.ts';
import type { RegisteredDevice } from './device-table.ts';
import { FoundDevices } from './found-devices.ts';
import { ManagedDevices } from './managed-devices.ts';

/**
 * The devices in the state directory of a collector, for commands: those of the API, then those that scans found, without those that a
 * definition file has too. Only reads; throws the system's error when a file cannot be read.
 */
export function readStoredDevices(stateDirectory: string, generation: Generation): RegisteredDevice[] {
  const read = (name: string) =>
    Journal.read(join(stateDirectory, 'device-registry', `${name}.journal`)).values;
  const fromFiles = Array.from(generation.devices(), (device) => ({ ...device, source: 'files' as const }));
  const isInFiles = new Set(fromFiles.map(({ ref }) => deviceKey(ref)));
  const managed = [...new ManagedDevices(unwritten, read('devices')).list(generation)];
  const found = new FoundDevices(unwritten, read('found')).list(generation, [...fromFiles, ...managed]);
  return [...managed.filter(({ ref }) => !isInFiles.has(deviceKey(ref))), ...found];
}

const unwritten: JournalWriter = { set() {}, delete() {}, compactIfWasteful() {} };
