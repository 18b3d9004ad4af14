import { type Agent, type OutgoingHttpHeaders, request } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export interface RawRequest {
  readonly method: string;
  /** Sent as it is: nothing is encoded or normalised. */
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

/** A request with any path and any header, Host among them. An answer that streams for ever counts as empty. */
export function callRaw(baseUrl: string, agent: Agent, { method, path, headers, body }: RawRequest) {
  return new Promise<RawAnswer>((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    const sent = request({ agent, hostname, port, method, path, headers }, (response) => {
      const { statusCode: status = 0 } = response;
      const type = response.headers['content-type'] ?? '';
      if (type === 'text/event-stream') {
        response.destroy();
        resolve({ status, type, text: '' });
        return;
      }
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('end', () => resolve({ status, type, text }));
    });
    sent.on('error', reject).end(body);
  });
}
