import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { seededRandom } from '../../../src/testing/index.ts';

export interface LinkQuality {
  /** Shares of datagrams in each direction. */
  readonly loss?: number;
  readonly duplicates?: number;
  /** Datagrams are delayed by up to this long, so that others overtake them. */
  readonly jitterMs?: number;
}

export interface LossyProxy extends AsyncDisposable {
  readonly port: number;
  /** Datagrams that came to it, from both sides. */
  readonly traffic: number;
}

/** An impaired link between a manager and the agent at `agentPort`. */
export async function startLossyProxy(
  agentPort: number,
  quality: LinkQuality,
  seed = 7,
): Promise<LossyProxy> {
  const { loss = 0, duplicates = 0, jitterMs = 0 } = quality;
  const random = seededRandom(seed);
  const front = createSocket('udp4');
  const backs = new Map<string, Socket>();
  const timers = new Set<NodeJS.Timeout>();
  let traffic = 0;
  const carry = (deliver: () => void) => {
    traffic++;
    if (random() < loss) return;
    const times = random() < duplicates ? 2 : 1;
    for (let i = 0; i < times; i++) {
      if (jitterMs === 0) {
        deliver();
        continue;
      }
      const timer = setTimeout(() => {
        timers.delete(timer);
        deliver();
      }, random() * jitterMs);
      timers.add(timer);
    }
  };
  front.on('message', (datagram, from) => {
    const key = `${from.address} ${from.port}`;
    let back = backs.get(key);
    if (back === undefined) {
      back = createSocket('udp4');
      back.on('message', (reply) => carry(() => front.send(reply, from.port, from.address)));
      backs.set(key, back);
    }
    const socket = back;
    carry(() => socket.send(datagram, agentPort, '127.0.0.1'));
  });
  front.bind(0, '127.0.0.1');
  await once(front, 'listening');
  return {
    port: front.address().port,
    get traffic() {
      return traffic;
    },
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of [front, ...backs.values()]) {
        socket.close();
        await once(socket, 'close');
      }
    },
  };
}
