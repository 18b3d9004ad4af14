import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  describeHostileDevices,
  hostileDefinitions,
} from '../../../test/plugins/snmp-poller/support/hostile/hostile-objects.ts';
import { definitionsOf } from '../bench-folder.ts';

/** Adds the group `hostile`, and one device of it per port. */
export function writeHostileDevices(
  folder: string,
  devices: Parameters<typeof describeHostileDevices>[0],
  everySeconds: number,
): void {
  const files = {
    ...hostileDefinitions(),
    'devices/hostile.yml': describeHostileDevices(devices, everySeconds),
  };
  for (const [name, text] of Object.entries(files)) {
    const file = join(definitionsOf(folder), name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
