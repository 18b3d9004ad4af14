import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deviceCommandFailure } from './failure.ts';

/** What a command has use for: inventories, devices of the API, what devices have taught. */
const copied = [
  'snmp-discovery/inventories.journal',
  'device-registry/devices.journal',
  'snmp-client/learned.journal',
];

/** A state directory of a command's own, with a copy of what a collector knows, so that neither disturbs the other. */
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
    if (!isMissing) throw deviceCommandFailure('DEVICE_STATE_UNREADABLE', { file: from }, error);
  }
}
