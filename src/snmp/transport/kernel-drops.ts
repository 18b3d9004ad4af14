import { readFile } from 'node:fs/promises';

/** A bound UDP socket as the kernel lists it. */
export interface KernelSocket {
  readonly port: number;
  /** Of the address that it is bound to, as the kernel writes it: hexadecimal, in the byte order of the machine. */
  readonly addressHex: string;
  /** Datagrams that were dropped because the socket's buffer was full. */
  readonly drops: number;
}

/** The UDP sockets of the system; undefined where the system does not list them. */
export async function readKernelSockets(): Promise<KernelSocket[] | undefined> {
  const tables = await Promise.all(['/proc/net/udp', '/proc/net/udp6'].map(readTable));
  if (tables.every((table) => table === undefined)) return undefined;
  const sockets: KernelSocket[] = [];
  for (const table of tables) {
    for (const line of table?.split('\n').slice(1) ?? []) {
      const fields = line.trim().split(/\s+/);
      const [addressHex = '', port = ''] = fields[1]?.split(':') ?? [];
      if (port !== '')
        sockets.push({ addressHex, port: Number.parseInt(port, 16), drops: Number(fields.at(-1)) });
    }
  }
  return sockets;
}

async function readTable(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'latin1');
  } catch {
    return undefined;
  }
}
