import { randomBytes } from 'node:crypto';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { MasterKeys } from '../../snmp/usm/user/master-keys.ts';
import { prepareUser } from '../../snmp/usm/user/security-user.ts';
import type { UserSettings } from '../../snmp/usm/user/user-settings.ts';
import { ReplayedDevice } from './device/replayed-device.ts';
import { loadRecording } from './recording/load-recording.ts';
import type { Recording } from './recording/recording.ts';
import { newReplayCounters, type ReplayCounters } from './replay-counters.ts';
import type { ReplayKnobs } from './replay-knobs.ts';
import { ReplyRoad } from './reply-road.ts';
import { seededRandom } from './seeded-random.ts';

export interface ReplayAgentOptions {
  /** A file (see `loadRecording`), or a recording that is already loaded: agents may share one. */
  readonly recording: string | Recording;
  /** 127.0.0.1 by default; on Linux every address of 127.0.0.0/8 is there to be used. */
  readonly address?: string;
  /** By default one that the system finds free. */
  readonly port?: number;
  /** For v1 and v2c; `public` by default. */
  readonly community?: string;
  /** Who may ask over SNMPv3; nobody by default. */
  readonly users?: readonly UserSettings[];
  /** What SNMPv3 contexts answer, by name; every other one answers `recording`. Knobs about values and rows hold for that alone. */
  readonly contexts?: Readonly<Record<string, Recording>>;
  /** 5 to 32 octets; by default random ones, so that no two agents share it. */
  readonly engineId?: Uint8Array;
  /** snmpEngineBoots at the start, 1 by default. */
  readonly engineBoots?: number;
  readonly knobs?: Partial<ReplayKnobs>;
  /** Milliseconds since 1970; `Date.now` by default. */
  readonly clock?: () => number;
  /** What chance is taken from; by default the same sequence for every agent. */
  readonly random?: () => number;
}

/**
 * A device that answers what a real one answered when it was recorded, over real UDP: SNMPv1, v2c and v3, GET, GETNEXT and
 * GETBULK.
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
  /** Changes some knobs; the others stay. Throws a RangeError for an OID that the recording does not have. */
  set(knobs: Partial<ReplayKnobs>): void;
  /** sysUpTime back to 0, engine boots + 1, moving counters start at 0. Requests are answered throughout. */
  reboot(): void;
  /** Frees the port and forgets every reply that is still delayed. The second call does nothing. */
  close(): Promise<void>;
}

/** Starts one device; it answers when the promise resolves. */
export function startReplayAgent(options: ReplayAgentOptions): Promise<ReplayAgent> {
  return startDevice(options, new MasterKeys());
}

/** Starts several devices, or none when one of them cannot start. A file that several name is read once. */
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
  const road = new ReplyRoad(options.random ?? seededRandom(1), counters);
  const socket = await openSocket(address, port);
  let otherSocket: Socket | undefined;
  socket.on('message', (datagram: Buffer, peer: RemoteInfo) => {
    counters.requests++;
    if (device.knobs.isSilent) counters.refused.silent++;
    if (device.knobs.isSilent || road.losesRequest(device.knobs)) return;
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
    road.deliver(() => from.send(reply, peer.port, peer.address, ignoreSendError), device.knobs);
  });

  let closing: Promise<void> | undefined;
  const close = () => {
    road.close();
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

/** RFC 3411 SnmpEngineID: net-snmp's enterprise number with the first bit set, then octets of our own choice (format 5). */
const randomEngineIdPrefix = Buffer.of(0x80, 0x00, 0x1f, 0x88, 0x05);

/** A manager that is gone must not end the agent; it notices by its own timeout. */
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
    // Peers are addresses already: no look-up, so that a reply leaves within the handler of its request.
    lookup: (name, _options, done) => done(null, name, isIPv6(name) ? 6 : 4),
  });
}
