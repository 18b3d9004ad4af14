import { randomBytes } from 'node:crypto';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { MasterKeys } from '../../snmp/usm/user/master-keys.ts';
import { prepareUser } from '../../snmp/usm/user/security-user.ts';
import type { UserSettings } from '../../snmp/usm/user/user-settings.ts';
import { ImpairedLink } from './impaired-link.ts';
import { loadRecording } from './recording/load-recording.ts';
import type { Recording } from './recording/recording.ts';
import { newReplayCounters, type ReplayCounters } from './replay-counters.ts';
import type { ReplayKnobs } from './replay-knobs.ts';
import { ReplayedDevice } from './replayed-device.ts';
import { seededRandom } from './seeded-random.ts';

export interface ReplayAgentOptions {
  /** A file (see `loadRecording`), or a loaded recording, which several agents may share. */
  readonly recording: string | Recording;
  /** 127.0.0.1 by default. On Linux every address of 127.0.0.0/8 can be used. */
  readonly address?: string;
  /** A free port by default. */
  readonly port?: number;
  /** For v1 and v2c; `public` by default. */
  readonly community?: string;
  /** The users of SNMPv3; none by default. */
  readonly users?: readonly UserSettings[];
  /** Recordings of SNMPv3 contexts, by name. Any other context answers from `recording`, and only there knobs about values and rows apply. */
  readonly contexts?: Readonly<Record<string, Recording>>;
  /** 5 to 32 octets; random by default, so that every agent has its own. */
  readonly engineId?: Uint8Array;
  /** snmpEngineBoots at the start, 1 by default. */
  readonly engineBoots?: number;
  readonly knobs?: Partial<ReplayKnobs>;
  /** Milliseconds since 1970; `Date.now` by default. */
  readonly clock?: () => number;
  /** The source of random numbers; by default the same sequence for every agent. */
  readonly random?: () => number;
}

/**
 * An agent that answers over real UDP from the recording of a device: SNMPv1, v2c and v3, GET, GETNEXT and GETBULK.
 *
 * ```ts
 * await using agent = await startReplayAgent({ recording: 'test/my-switch.snmprec' });
 * const plugin = startMyPlugin({ address: agent.address, port: agent.port, community: 'public' });
 * agent.set({ loss: 0.3 });
 * agent.reboot();
 * ```
 */
export interface ReplayAgent extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  readonly counters: Readonly<ReplayCounters>;
  /** Changes the given knobs and keeps the others. Throws a RangeError for an OID that the recording does not contain. */
  set(knobs: Partial<ReplayKnobs>): void;
  /** Sets sysUpTime to 0, adds 1 to the engine boots and starts moving counters at 0. Requests are still answered. */
  reboot(): void;
  /** Frees the port and drops every delayed reply. The second call does nothing. */
  close(): Promise<void>;
}

/** Starts one agent; it answers requests when the promise resolves. */
export function startReplayAgent(options: ReplayAgentOptions): Promise<ReplayAgent> {
  return startDevice(options, new MasterKeys());
}

/** Starts several agents, or none when one of them cannot start. A file that several agents use is read once. */
export async function startReplayAgents(devices: readonly ReplayAgentOptions[]): Promise<ReplayAgent[]> {
  const masterKeys = new MasterKeys();
  const recordings = new Map<string, Promise<Recording>>();
  const load = (path: string) => {
    const known = recordings.get(path) ?? loadRecording(path);
    recordings.set(path, known);
    return known;
  };
  const started = await Promise.allSettled(
    devices.map(async ({ recording, ...rest }) =>
      startDevice(
        { ...rest, recording: typeof recording === 'string' ? await load(recording) : recording },
        masterKeys,
      ),
    ),
  );
  const agents = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = started.find((result) => result.status === 'rejected');
  if (failed === undefined) return agents;
  await Promise.all(agents.map((agent) => agent.close()));
  throw failed.reason;
}

async function startDevice(options: ReplayAgentOptions, masterKeys: MasterKeys): Promise<ReplayAgent> {
  const { recording, address = '127.0.0.1', port = 0, clock = Date.now, knobs = {} } = options;
  const device = new ReplayedDevice({
    recording: typeof recording === 'string' ? await loadRecording(recording) : recording,
    community: options.community ?? 'public',
    contexts: options.contexts ?? {},
    users: (options.users ?? []).map((user) => prepareUser(user, masterKeys)),
    engineId: Buffer.from(options.engineId ?? Buffer.concat([randomEngineIdPrefix, randomBytes(8)])),
    engineBoots: options.engineBoots ?? 1,
    clock,
  });
  device.set(knobs);

  const counters = newReplayCounters();
  const link = new ImpairedLink(options.random ?? seededRandom(1), counters);
  const socket = await openSocket(address, port);
  let otherSocket: Socket | undefined;
  socket.on('message', (datagram: Buffer, peer: RemoteInfo) => {
    counters.requests++;
    if (device.knobs.isSilent) counters.refused.silent++;
    if (device.knobs.isSilent || link.losesRequest(device.knobs)) return;
    const reply = device.answer(datagram);
    if (typeof reply === 'string') {
      counters.refused[reply]++;
      return;
    }
    counters.replies++;
    let from = socket;
    if (device.knobs.repliesFromWrongPort) {
      otherSocket ??= newSocket(address).bind(0, address);
      from = otherSocket;
    }
    link.deliver(() => from.send(reply, peer.port, peer.address, ignoreSendError), device.knobs);
  });

  let closing: Promise<void> | undefined;
  const close = () => {
    link.close();
    closing ??= Promise.all([socket, otherSocket].map(closeSocket)).then(() => undefined);
    return closing;
  };
  return {
    address,
    port: socket.address().port,
    counters,
    set: (changed) => device.set(changed),
    reboot: () => device.reboot(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** RFC 3411 SnmpEngineID: net-snmp's enterprise number with the first bit set, then octets that the implementer chooses (format 5). */
const randomEngineIdPrefix = Buffer.of(0x80, 0x00, 0x1f, 0x88, 0x05);

/** A manager that has gone must not stop the agent; its requests time out. */
const ignoreSendError = (): void => {};

async function openSocket(address: string, port: number): Promise<Socket> {
  const socket = newSocket(address);
  try {
    const listening = once(socket, 'listening');
    socket.bind(port, address);
    await listening;
  } catch (error) {
    socket.close();
    throw error;
  }
  return socket;
}

function closeSocket(socket: Socket | undefined): Promise<void> {
  return new Promise((done) => (socket === undefined ? done() : socket.close(done)));
}

function newSocket(address: string): Socket {
  return createSocket({
    type: isIPv6(address) ? 'udp6' : 'udp4',
    recvBufferSize: 1 << 22,
    // Peers are IP addresses: without a lookup, a reply is sent within the handler of its request.
    lookup: (name, _options, done) => done(null, name, isIPv6(name) ? 6 : 4),
  });
}
