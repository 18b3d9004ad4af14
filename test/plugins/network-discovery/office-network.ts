import type { TestContext } from 'node:test';
import { parseRecording, type ReplayAgentOptions, startReplayAgent } from '../../../src/testing/index.ts';

export const user = {
  name: 'reader',
  authProtocol: 'sha256',
  authPassphrase: 'canary-authentication',
  privProtocol: 'aes',
  privPassphrase: 'canary-privacy',
} as const;

export const recordingOf = (sysName: string) =>
  parseRecording(`1.3.6.1.2.1.1.1.0|4|Example device
1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.99999.1
1.3.6.1.2.1.1.3.0|67|100
1.3.6.1.2.1.1.5.0|4x|${Buffer.from(sysName).toString('hex')}
`);

/** Agents at one port, each at its own address, by the last octet. */
export async function startAgents(
  test: TestContext,
  net: string,
  agents: Readonly<Record<number, Partial<ReplayAgentOptions>>>,
) {
  const started = [];
  let port: number | undefined;
  for (const [octet, options] of Object.entries(agents)) {
    const agent = await startReplayAgent({
      recording: recordingOf(`agent-${octet}`),
      address: `${net}.${octet}`,
      ...(port === undefined ? {} : { port }),
      ...options,
    });
    test.after(() => agent.close());
    port = agent.port;
    started.push(agent);
  }
  return { port: port!, agents: started };
}

const oneCommunity = '    - { version: 2c, community: canary-first }\n';
export const allCredentials = `${oneCommunity}    - { version: 2c, community: canary-second }
    - version: 3
      v3_credential:
        username: reader
        authentication_protocol: sha256
        authentication_passphrase: canary-authentication
        privacy_protocol: aes
        privacy_passphrase: canary-privacy
`;

/** A timeout that a busy machine meets, and few credentials, because a silent address costs a timeout per credential. */
export const networkFile = (port: number, networks: string, credentials = oneCommunity) => `office:
  credentials:
${credentials}  port: ${port}
  timeout: 600
  retries: 1
  poll_interval: 30
  networks: [${networks}]
`;
