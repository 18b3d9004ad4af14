import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** A reverse proxy that shows `baseUrl` below /tools/waywiser/ and removes this path, as docs/web-page.md describes. Returns its address. */
export async function startSubPathProxy(t: TestContext, baseUrl: string): Promise<string> {
  const prefix = '/tools/waywiser';
  const { hostname, port } = new URL(baseUrl);
  const server = createServer((from, to) => {
    if (from.url?.startsWith(`${prefix}/`) !== true) {
      to.writeHead(404).end();
      return;
    }
    const { method, headers } = from;
    const path = from.url.slice(prefix.length);
    const sent = request({ hostname, port, method, headers, path }, (answer) => {
      to.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(to);
    });
    sent.on('error', () => to.destroy());
    to.on('close', () => sent.destroy());
    from.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}/`;
}
