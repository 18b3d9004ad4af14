import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { describe, it } from 'node:test';
import { DefinitionFolder } from '../../support/definition-folder.ts';
import { startApi } from '../support/api-stack.ts';
import { exchange } from '../support/exchange.ts';

async function startAsking(t: Parameters<typeof startApi>[0], api: Readonly<Record<string, unknown>> = {}) {
  const { baseUrl } = await startApi(t, new DefinitionFolder(t), { api });
  return async (host: string) => {
    const answer = await exchange(
      baseUrl,
      `GET /livez HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
    );
    return answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
  };
}

describe('a request for an address', () => {
  it('is answered only when the collector listens on it', async (t) => {
    const ask = await startAsking(t);
    for (const own of ['127.0.0.1', '127.0.0.1:8080', '[::ffff:127.0.0.1]', 'localhost', 'LOCALHOST:1'])
      assert.equal(await ask(own), '200', own);
    for (const other of ['10.1.2.3', '10.1.2.3:8080', '127.0.0.2', '0.0.0.0', '[::1]', '[fe80::1]', '::1'])
      assert.equal(await ask(other), '421', other);
  });

  it('is answered for every address of the machine when the collector listens on all', async (t) => {
    const ask = await startAsking(t, { host: '0.0.0.0', insecure: true });
    const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    for (const { address, family, scopeid } of own) {
      const host = family === 'IPv6' ? `[${address}]` : address;
      if (!scopeid) assert.equal(await ask(host), '200', host);
    }
    assert.equal(await ask('203.0.113.7'), '421');
  });

  it('is answered for an address in `hosts`, in any form', async (t) => {
    const ask = await startAsking(t, { hosts: ['203.0.113.7', '2001:DB8:0::7'] });
    for (const host of ['203.0.113.7:80', '[2001:db8::7]', '[2001:db8:0:0::7]:8080'])
      assert.equal(await ask(host), '200', host);
    assert.equal(await ask('203.0.113.8'), '421');
  });
});
