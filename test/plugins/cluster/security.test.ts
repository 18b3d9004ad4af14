import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { EtcdRefusal } from '../../../plugins/cluster/etcd/etcd-client.ts';
import { EtcdCoordinator } from '../../../plugins/cluster/etcd/etcd-coordinator.ts';
import cluster from '../../../plugins/cluster/index.ts';
import { HttpMemberRequests } from '../../../plugins/cluster/member-requests.ts';
import { Secret } from '../../../src/kernel/secrets.ts';
import { shardCount, shardsToken } from '../../../src/sharding/index.ts';
import { startTestCollector } from '../../../src/testing/index.ts';
import { missingTool } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { startApi } from '../http-api/support/api-stack.ts';
import { makeCertificates } from '../outputs/support/certificates.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { EtcdServer, noEtcd } from './support/etcd-server.ts';
import { addUsers, memberPassword } from './support/etcd-users.ts';

const noOpenssl = missingTool('openssl');

async function startWithUsers(t: TestContext): Promise<EtcdServer> {
  const etcd = await EtcdServer.start(t);
  await addUsers(etcd);
  return etcd;
}

function connect(t: TestContext, etcd: EtcdServer, options: object, prefix = '/waywiser'): EtcdCoordinator {
  const all = { endpoints: [etcd.url], tls: {}, timeoutMs: 5_000, ...options };
  const coordinator = new EtcdCoordinator(all, prefix, () => {});
  t.after(() => coordinator.close());
  return coordinator;
}

const asUser = (password: string, username = 'waywiser') => ({ username, password: () => password });

describe('a call of a member', () => {
  it('shows the token to no other server, whatever its path says', async (t) => {
    const tokens: (string | undefined)[] = [];
    const listen = async () => {
      const server = createServer(({ headers }, response) => {
        tokens.push(headers.authorization);
        response.end();
      }).listen(0, '127.0.0.1');
      t.after(() => server.close());
      await once(server, 'listening');
      return `127.0.0.1:${(server.address() as AddressInfo).port}`;
    };
    const [own, other] = [await listen(), await listen()];
    const requests = new HttpMemberRequests(new Secret('secret'), {});
    const ask = async (path: string, address = `http://${own}`) => {
      const member = { name: 'two', weight: 1, address, version: '1' };
      const { status, body } = await requests.ask(member, { method: 'GET', path, timeoutMs: 60_000 });
      body.resume();
      return status;
    };
    const refused = { code: 'CLUSTER_MEMBER_UNREACHABLE' };
    for (const path of [`//${other}/x`, `/\\${other}/x`, `http://${other}/x`, `https://${own}/x`])
      await assert.rejects(ask(path), refused, path);
    await assert.rejects(ask('/x', 'no address'), refused);
    assert.deepEqual(tokens, []);
    assert.equal(await ask('/x?to=//other'), 200);
    assert.equal(tokens.length, 1);
  });
});

describe('etcd with users', { skip: noEtcd }, () => {
  it('gives a member its shards, also after etcd was restarted and has forgotten the login', async (t) => {
    const etcd = await startWithUsers(t);
    const store = connect(t, etcd, asUser(memberPassword));
    await store.identify();
    const lease = await store.grantLease(30_000);
    assert.ok(await store.register(lease, { name: 'one', weight: 1, address: undefined, version: '1' }));
    assert.ok((await store.claim(lease, 'one', 1)) !== undefined);
    const claims = new Set<number>();
    const stop = store.watch({
      onSnapshot: (snapshot) => {
        for (const shard of snapshot.claims.keys()) claims.add(shard);
      },
      onChange: (change) => {
        if (change.kind === 'claim') claims.add(change.shard);
      },
    });
    t.after(stop);
    await until(() => claims.has(1));
    await etcd.stop();
    await etcd.begin();
    assert.ok((await store.claim(lease, 'one', 2)) !== undefined);
    assert.ok(await store.renewLease(lease));
    await until(() => claims.has(2));
  });

  it('refuses a wrong password, a stranger, and keys outside the prefix of the user', async (t) => {
    const etcd = await startWithUsers(t);
    const attempts = [
      connect(t, etcd, asUser('another-password')),
      connect(t, etcd, asUser(memberPassword, 'nobody')),
      connect(t, etcd, {}),
      connect(t, etcd, asUser(memberPassword), '/elsewhere'),
    ];
    for (const store of attempts) {
      await assert.rejects(store.identify(), (error) => {
        assert.ok(error instanceof EtcdRefusal, String(error));
        assert.doesNotMatch(error.message, /password-of-etcd|another-password/);
        return true;
      });
    }
  });

  it('leaves a collector with a wrong password without shards, and the log says what to check', async (t) => {
    const etcd = await startWithUsers(t);
    const start = (password: string, name: string) =>
      startTestCollector({
        env: { ETCD_PASSWORD: password },
        plugins: [
          {
            plugin: cluster,
            options: {
              name,
              lease_seconds: 3,
              etcd: { endpoints: [etcd.url], username: 'waywiser', password: '${env:ETCD_PASSWORD}' },
            },
          },
        ],
      });
    const wrong = await start('a-wrong-secret', 'wrong');
    t.after(() => wrong.stop());
    const right = await start(memberPassword, 'right');
    t.after(() => right.stop());
    const owned = (each: typeof wrong) => each.getService(shardsToken).fleet!.status().ownedShards;
    await until(() => owned(right) === shardCount);
    const log = () => JSON.stringify(wrong.logLines);
    await until(() => log().includes('CLUSTER_ETCD_REFUSED'));
    assert.equal(owned(wrong), 0);
    assert.doesNotMatch(log(), /a-wrong-secret/);
  });
});

describe('etcd with TLS', { skip: noEtcd || noOpenssl }, () => {
  const startTls = async (t: TestContext) => {
    const files = makeCertificates(temporaryFolder(t));
    const { cert, key } = files.server;
    const etcd = await EtcdServer.start(t, [
      ...['--cert-file', cert, '--key-file', key],
      ...['--client-cert-auth', '--trusted-ca-file', files.ca],
    ]);
    return { etcd, files };
  };

  it('serves a member with a certificate of its authority, and no other one', async (t) => {
    const { etcd, files } = await startTls(t);
    const others = makeCertificates(temporaryFolder(t));
    await connect(t, etcd, { tls: { ca: files.ca, ...files.client } }).identify();
    const refused = [
      { ca: files.ca },
      { ca: files.ca, ...others.client },
      { ca: others.ca, ...files.client },
      { ...files.client },
    ];
    for (const tls of refused)
      await assert.rejects(connect(t, etcd, { tls }).identify(), { code: 'CLUSTER_ETCD_UNREACHABLE' });
    const plain = connect(t, { url: etcd.url.replace('https:', 'http:') } as EtcdServer, {});
    await assert.rejects(plain.identify());
  });

  it('uses renewed files after a connection was lost, and keeps the old ones while a new one is broken', async (t) => {
    const { etcd, files } = await startTls(t);
    const folder = temporaryFolder(t);
    const used = { cert: join(folder, 'used.pem'), key: join(folder, 'used-key.pem') };
    const use = ({ cert, key }: typeof used) => {
      copyFileSync(cert, used.cert);
      copyFileSync(key, used.key);
    };
    use(files.client);
    const store = connect(t, etcd, { tls: { ca: files.ca, ...used } });
    await store.identify();
    for (const breakFile of [() => writeFileSync(used.key, 'no key'), () => rmSync(used.cert)]) {
      breakFile();
      await etcd.stop();
      await assert.rejects(store.identify(), { code: 'CLUSTER_ETCD_UNREACHABLE' });
      await etcd.begin();
      await store.identify();
      use(files.client);
    }
  });

  it('names a file that cannot be read when the collector starts', async (t) => {
    const { files } = await startTls(t);
    const tls = { ca: join(files.ca, 'missing') };
    const etcd = { url: 'https://127.0.0.1:1' } as EtcdServer;
    assert.throws(() => connect(t, etcd, { tls }), {
      code: 'OUTPUT_TLS_FILE',
      message: /for etcd .*tls\.ca/,
    });
  });
});

describe('members behind TLS', { skip: noOpenssl }, () => {
  it('answer a member with a certificate of the authority, and no other one', async (t) => {
    const files = makeCertificates(temporaryFolder(t));
    const others = makeCertificates(temporaryFolder(t));
    const { cert: certificate, key } = files.server;
    const api = { tls: { certificate, key, client_authorities: files.ca } };
    const { baseUrl } = await startApi(t, new DefinitionFolder(t), { api });
    const ask = (tls: object) =>
      new HttpMemberRequests(new Secret('a-token-of-members-0123456789'), tls).ask(
        { name: 'two', weight: 1, address: new URL(baseUrl).origin, version: '1' },
        { method: 'GET', path: new URL(`${baseUrl}/openapi.json`).pathname, timeoutMs: 10_000 },
      );
    const { status, body } = await ask({ ca: files.ca, ...files.client });
    body.resume();
    assert.equal(status, 200);
    const refused = [
      { ca: files.ca },
      { ca: files.ca, ...others.client },
      { ca: others.ca, ...files.client },
      { ca: join(files.ca, 'missing') },
    ];
    for (const tls of refused) await assert.rejects(ask(tls), { code: 'CLUSTER_MEMBER_UNREACHABLE' });
  });
});
