import { type Agent, type OutgoingHttpHeaders, request } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export interface RawRequest {
  readonly method: string;
  /** Sent without encoding or normalization. */
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

/** Sends a request with any path and any headers, including Host. The answer of an event stream counts as empty. */
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
