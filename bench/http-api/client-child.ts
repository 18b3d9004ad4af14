import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { argv } from 'node:process';

/**
 * usage: client-child URL SOCKETS REQUESTS PATH. Opens its sockets, waits for a message, sends the requests over them, one
 * after the other on each, and reports the median and the 99th percentile of their times. With REQUESTS 0 it reads until it
 * is killed.
 */
const [baseUrl = '', sockets = '', requests = '', path = ''] = argv.slice(2);
const { hostname, port } = new URL(baseUrl);
const text = `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
const open: Socket[] = [];
while (open.length < Number(sockets)) {
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  open.push(socket);
  if (requests === '0') {
    socket.write(text);
    socket.on('data', () => {});
  }
}
process.send!('ready');
await once(process, 'message');
if (requests !== '0') {
  const timesMs: number[] = [];
  await Promise.all(open.map((socket) => askAgain(socket, Number(requests) / open.length, timesMs)));
  timesMs.sort((a, b) => a - b);
  const at = (share: number) => timesMs[Math.floor(timesMs.length * share)] ?? 0;
  process.send!({ p50Ms: at(0.5), p99Ms: at(0.99) });
  process.disconnect();
}

/** All answers have the same size, so an answer ends after as many bytes as the first one had. */
function askAgain(socket: Socket, count: number, timesMs: number[]): Promise<void> {
  return new Promise((resolve) => {
    let left = count;
    let bytesLeft = 0;
    let begunMs = 0;
    const ask = () => {
      begunMs = performance.now();
      bytesLeft = -1;
      socket.write(text);
    };
    socket.on('data', (part: Buffer) => {
      if (bytesLeft === -1) {
        const head = part.indexOf('\r\n\r\n');
        const [, length = '0'] = /content-length: (\d+)/i.exec(part.toString('latin1', 0, head)) ?? [];
        bytesLeft = Number(length) + head + 4;
      }
      bytesLeft -= part.length;
      if (bytesLeft > 0) return;
      timesMs.push(performance.now() - begunMs);
      if (--left > 0) ask();
      else {
        socket.destroy();
        resolve();
      }
    });
    ask();
  });
}
