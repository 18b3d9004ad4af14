import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deviceFailure } from '../device-errors.ts';

/** Inventories, devices added through the API, and learned device limits. */
const copied = [
  'snmp-discovery/inventories.journal',
  'device-registry/devices.journal',
  'snmp-client/learned.journal',
];

/** A temporary state directory with a copy of a collector's state, so that the command and the collector share no file. */
export class StateCopy {
  readonly path = mkdtempSync(join(tmpdir(), 'waywiser-'));

  constructor(stateDirectory: string) {
    try {
      for (const name of copied) copyIfThere(join(stateDirectory, name), join(this.path, name));
    } catch (error) {
      this.remove();
      throw error;
    }
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

function copyIfThere(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  try {
    copyFileSync(from, to);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing) throw deviceFailure('DEVICE_STATE_UNREADABLE', { file: from }, error);
  }
}
