import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { nkeys } from '@nats-io/transport-node';
import nats from '../../../../plugins/outputs/nats/index.ts';
import { createTestBatch } from '../../../../src/testing/index.ts';
import { findFreePort } from '../../../support/free-port.ts';
import { missingTool } from '../../../support/needs.ts';
import { startRealServer } from '../support/real-server.ts';
import { runOutput } from '../support/running-output.ts';

type KeyPair = ReturnType<typeof nkeys.createOperator>;

const encode = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64url');

/** A claim about `subject` in the form of NATS, signed by `issuer`. */
function sign(issuer: KeyPair, subject: KeyPair, claim: object): string {
  const body = {
    jti: 'test',
    iat: Math.floor(Date.now() / 1000),
    iss: issuer.getPublicKey(),
    sub: subject.getPublicKey(),
    name: 'test',
    nats: { version: 2, ...claim },
  };
  const parts = [{ typ: 'JWT', alg: 'ed25519-nkey' }, body].map((part) => encode(JSON.stringify(part)));
  const text = parts.join('.');
  return `${text}.${encode(issuer.sign(Buffer.from(text)))}`;
}

function credentialsFile(jwt: string, user: KeyPair): string {
  return `-----BEGIN NATS USER JWT-----\n${jwt}\n------END NATS USER JWT------\n
-----BEGIN USER NKEY SEED-----\n${Buffer.from(user.getSeed()).toString()}\n------END USER NKEY SEED------\n`;
}

describe('the nats plugin with credentials of an account', { skip: missingTool('nats-server') }, () => {
  it('signs the challenge of the server, and is refused with foreign credentials', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'waywiser-nats-credentials-'));
    const [operator, account, user, stranger] = [
      nkeys.createOperator(),
      nkeys.createAccount(),
      nkeys.createUser(),
      nkeys.createAccount(),
    ];
    const none = { subs: -1, data: -1, payload: -1 };
    const limits = { ...none, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
    const port = await findFreePort();
    writeFileSync(
      join(folder, 'nats.conf'),
      `listen: "127.0.0.1:${port}"
operator: ${sign(operator, operator, { type: 'operator' })}
resolver: MEMORY
resolver_preload: { ${account.getPublicKey()}: ${sign(operator, account, { type: 'account', limits })} }\n`,
    );
    const userClaim = { type: 'user', ...none };
    const own = credentialsFile(sign(account, user, userClaim), user);
    const foreign = credentialsFile(sign(stranger, user, userClaim), user);
    const options = { servers: [`nats://127.0.0.1:${port}`], credentials: '${env:CREDENTIALS}' };
    try {
      await using _ = await startRealServer('nats-server', ['-c', join(folder, 'nats.conf')], port);
      {
        await using output = await runOutput(nats, options, { env: { CREDENTIALS: own } });
        await output.deliver(createTestBatch());
        assert.equal(output.counters.delivered, 1);
        assert.doesNotMatch(output.logText, /SUA|eyJ/);
      }
      const settings = { env: { CREDENTIALS: foreign }, delivery: { stall_after_ms: 0 } };
      await using output = await runOutput(nats, options, settings);
      output.push(createTestBatch());
      await output.until(() => output.stalls.length > 0);
      assert.match(output.stalls[0]!, /refused the login/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
