import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Takes whatever is posted, in a process of its own, so that what it costs is not measured; its port is its first message. To a
 * bulk request it answers as Elasticsearch does, with an outcome a document.
 */
const taken = '{"create":{"status":201}}';
const lineEnd = 0x0a;

const server = createServer(async (request, response) => {
  let lines = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(lineEnd); at >= 0; at = chunk.indexOf(lineEnd, at + 1)) lines++;
  }
  if (!request.url?.includes('/_bulk')) return void response.writeHead(204).end();
  const items = new Array<string>(lines / 2).fill(taken).join(',');
  response.writeHead(200, { 'content-type': 'application/json' }).end(`{"errors":false,"items":[${items}]}`);
}).listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
