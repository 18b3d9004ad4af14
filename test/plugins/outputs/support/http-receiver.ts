import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body after decompression. */
  readonly body: Buffer;
  /** The port of the client, which stays the same while its connection does. */
  readonly clientPort: number | undefined;
}

export interface GivenAnswer {
  /** 0 closes the connection. Undefined never answers. */
  readonly status: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array | undefined;
}

export interface HttpReceiver extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
}

/** A server on loopback that records all requests. `answer` returns the status; if it throws, the status is 500. */
export async function startHttpReceiver(
  answer: (request: ReceivedRequest, count: number) => GivenAnswer | number,
): Promise<HttpReceiver> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const { method = '', url: path = '', headers } = incoming;
    const body = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
    const request = { method, path, headers, body, clientPort: incoming.socket.remotePort };
    requests.push(request);
    let given: GivenAnswer | number;
    try {
      given = answer(request, requests.length);
    } catch (error) {
      given = { status: 500, body: String(error) };
    }
    const { status, headers: answered, body: text } = typeof given === 'number' ? { status: given } : given;
    if (status === undefined) return;
    if (status === 0) incoming.socket.destroy();
    else response.writeHead(status, answered).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
