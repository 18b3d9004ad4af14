import { randomBytes } from 'node:crypto';
import type { IClientOptions, IConnackPacket, MqttClient } from 'mqtt';
import type { Logger } from '../../../src/index.ts';
import {
  type ConnectionDriver,
  connectionFailure,
  importOptional,
  nameConnectionFailure,
  readTlsFiles,
} from '../../../src/output-kit/index.ts';
import type { MqttOptions } from './options.ts';

/** The package, as it is imported. */
export type LoadMqtt = () => Promise<typeof import('mqtt')>;

export interface OpenMqtt {
  readonly client: MqttClient;
  readonly server: string;
  /** Aborts when the connection is lost. The library would keep later messages for a next connection. */
  readonly lost: AbortSignal;
  /** What the broker accepts at a time and in one packet. */
  readonly limits: { readonly inFlight: number; readonly packetBytes: number };
}

const handshakeMs = 10_000;
/** For brokers that announce no limit: the default of mosquitto, which does not answer messages beyond it. */
const usualInFlight = 20;
const longestPacket = 268_435_455;
/** Wrong name or password, banned or unauthorised client, in MQTT 3.1.1 and in MQTT 5. */
const refusedLogins: readonly unknown[] = [4, 5, 0x86, 0x87, 0x8a, 0x8c];

/** Throws when the package is missing or a TLS file cannot be used. */
export async function createMqttDriver(
  options: MqttOptions,
  { load, log }: { readonly load: LoadMqtt; readonly log: Logger },
): Promise<ConnectionDriver<OpenMqtt>> {
  const { connect } = await importOptional('mqtt@5', load);
  const { protocol, host } = new URL(options.url);
  const server = `${protocol}//${host}`;
  const settings: IClientOptions = {
    protocolVersion: options.version === '5' ? 5 : 4,
    clientId: options.client_id ?? `waywiser-${randomBytes(6).toString('hex')}`,
    clean: true,
    reconnectPeriod: 0,
    connectTimeout: handshakeMs,
    ...(options.username === undefined ? {} : { username: options.username }),
  };
  const login = () => (options.password === undefined ? {} : { password: options.password.reveal() });
  const readTls = () => readTlsFiles(options.tls ?? {}, `the MQTT broker at ${server}`);
  readTls();
  return {
    async open(signal) {
      const client = connect(options.url, { ...settings, ...login(), ...readTls() });
      client.setMaxListeners(0);
      try {
        const { properties = {} } = await untilConnected(client, signal);
        const lost = new AbortController();
        client.once('close', () => lost.abort(connectionFailure('SERVER_UNREACHABLE', { server })));
        log.info({ server }, `Connected to the MQTT broker at ${server}.`);
        return {
          client,
          server,
          lost: lost.signal,
          limits: {
            inFlight: properties.receiveMaximum ?? usualInFlight,
            packetBytes: properties.maximumPacketSize ?? longestPacket,
          },
        };
      } catch (error) {
        client.end(true);
        throw nameFailure(server, error, { handshake: /^(mqtts|wss):$/.test(protocol) });
      }
    },
    isOpen: ({ client }) => client.connected,
    destroy: ({ client }) => void client.end(true),
  };
}

/** The error listener stays: an error between two writes shows as a closed connection at the next write. */
function untilConnected(client: MqttClient, signal: AbortSignal): Promise<IConnackPacket> {
  return new Promise((resolve, reject) => {
    client.once('connect', resolve);
    client.on('error', reject);
    client.once('close', () => reject(new Error('the broker closed the connection')));
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function nameFailure(server: string, error: unknown, stage: { readonly handshake: boolean }): unknown {
  if (error instanceof Error && 'code' in error && refusedLogins.includes(error.code)) {
    return connectionFailure('SERVER_REFUSED_LOGIN', { server }, error);
  }
  return nameConnectionFailure(server, error, stage);
}
