import { readFile } from 'node:fs/promises';

/** Datagrams that the kernel dropped because these local ports' buffers were full; undefined where it does not tell. */
export async function readKernelDrops(ports: readonly number[]): Promise<number | undefined> {
  const wanted = new Set(ports);
  const tables = await Promise.all(['/proc/net/udp', '/proc/net/udp6'].map(readTable));
  if (tables.every((table) => table === undefined)) return undefined;
  let drops = 0;
  for (const table of tables) {
    for (const line of table?.split('\n').slice(1) ?? []) {
      const fields = line.trim().split(/\s+/);
      const port = Number.parseInt(fields[1]?.split(':')[1] ?? '', 16);
      if (wanted.has(port)) drops += Number(fields.at(-1));
    }
  }
  return drops;
}

async function readTable(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'latin1');
  } catch {
    return undefined;
  }
}
