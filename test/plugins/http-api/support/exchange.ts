import { connect, type Socket } from 'node:net';

export function connectTo(baseUrl: string): Socket {
  const { hostname, port } = new URL(baseUrl);
  return connect(Number(port), hostname);
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
