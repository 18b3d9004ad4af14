import { isIP } from 'node:net';
import process from 'node:process';
import { explainError, type Logger } from '../../../src/index.ts';
import { systemReasonOf } from '../../../src/kernel/index.ts';
import type { ListenAddress } from '../../../src/snmp/index.ts';
import { trapFailure } from '../errors.ts';
import type { TrapOptions } from '../options.ts';
import { findPassedSockets } from './passed-sockets.ts';
import type { ReceptionSettings } from './reception.ts';
import { openReceiving, type Receiving, type ReceivingParts } from './reception-thread.ts';

interface ListenerParts extends Pick<ReceivingParts, 'threads' | 'onFailure'> {
  readonly plugin: string;
  readonly listen: TrapOptions['listen'];
  readonly log: Logger;
  readonly settings: Omit<ReceptionSettings, 'listen'>;
}

/** Opens the sockets and says in words what the system refuses. What comes waits until `begin`. */
export async function openListeners({
  plugin,
  listen,
  log,
  settings,
  ...parts
}: ListenerParts): Promise<Receiving> {
  const addresses = listen.flatMap((given): readonly ListenAddress[] => {
    const { address = '', port, socket } = given;
    if (socket !== undefined && address === '' && port === undefined) return passedSockets(plugin, socket);
    if (socket !== undefined || port === undefined || isIP(address.split('%')[0]!) === 0)
      throw trapFailure('TRAP_LISTENER_INVALID', { plugin, given: JSON.stringify(given) });
    return [{ address, port }];
  });
  let receiving: Receiving;
  try {
    receiving = await openReceiving({ ...parts, settings: { ...settings, listen: addresses } });
  } catch (error) {
    throw nameFailure(error, addresses[0]!);
  }
  const { listeners } = await receiving.report();
  for (const { address, port, receiveBufferBytes } of listeners) {
    if (receiveBufferBytes >= settings.receiveBufferBytes) continue;
    log.warn(
      { address, port, receiveBufferBytes, wanted: settings.receiveBufferBytes },
      `The system grants less buffer for notifications than receive_buffer_bytes asks for, so bursts may be lost. Raise it: sysctl -w net.core.rmem_max=${settings.receiveBufferBytes}`,
    );
  }
  return receiving;
}

function passedSockets(plugin: string, socket: string): readonly ListenAddress[] {
  const found = findPassedSockets(socket, process);
  if (typeof found === 'string') throw trapFailure('TRAP_SOCKET_MISSING', { plugin, socket, reason: found });
  return found;
}

function nameFailure(error: unknown, first: ListenAddress): unknown {
  const {
    code,
    address = first.address,
    port = first.port,
  } = error as NodeJS.ErrnoException & Partial<ListenAddress>;
  if (code === 'EACCES') return trapFailure('TRAP_PORT_PRIVILEGED', { address, port }, error);
  if (code === 'EADDRINUSE') return trapFailure('TRAP_PORT_TAKEN', { address, port }, error);
  const reason =
    error instanceof Error && code !== undefined
      ? systemReasonOf(error as NodeJS.ErrnoException)
      : explainError(error);
  return trapFailure('TRAP_LISTEN_FAILED', { address, port, reason }, error);
}
