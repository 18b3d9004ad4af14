import { connect, type Socket } from 'node:net';

/** `from` is another of this machine's own addresses. */
export function connectTo(baseUrl: string, from?: string): Socket {
  const { hostname, port } = new URL(baseUrl);
  const own = from === undefined ? {} : { localAddress: from };
  return connect({ port: Number(port), host: hostname, ...own });
}

/** Sends `text`, and resolves with everything that is received until the other end closes. */
export function exchange(baseUrl: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTo(baseUrl);
    let answer = '';
    socket.on('connect', () => socket.write(text));
    socket.setEncoding('utf8').on('data', (part) => {
      answer += part;
    });
    socket.on('error', reject).on('close', () => resolve(answer));
  });
}
