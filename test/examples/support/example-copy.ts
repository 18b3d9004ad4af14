import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CollectorProcess } from '../../cli/support/collector-process.ts';
import { findFreePort, findFreeUdpPorts } from '../../support/free-port.ts';
import { installOurselves } from '../../support/package-folder.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Copies every text file of an example into the folder of the process, changed by `edit`. */
export function copyExample(name: string, collector: CollectorProcess, edit: (text: string) => string): void {
  const from = join(root, 'examples', name);
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.parentPath.includes('/state')) continue;
    const path = join(entry.parentPath, entry.name).slice(from.length + 1);
    mkdirSync(join(collector.folder, dirname(path)), { recursive: true });
    collector.write(path, edit(readFileSync(join(from, path), 'utf8')));
  }
  installOurselves(collector.folder);
}

/** Copies the demonstration, with free ports, and returns the port of its API. */
export async function copyDemonstration(collector: CollectorProcess): Promise<number> {
  const api = await findFreePort();
  const ports = await findFreeUdpPorts(12);
  copyExample('demo', collector, (text) =>
    text
      .replace(/\b161(0[1-9]|1[0-2])\b/g, (_, device) => `${ports[Number(device) - 1]}`)
      .replace('port: 8080', `port: ${api}`)
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${api}`)
      .replace('../../definitions', join(root, 'definitions'))
      .replace('../../test/recordings', join(root, 'test/recordings')),
  );
  return api;
}
