import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { explainError, resolveSecret, Secret } from '../../../src/index.ts';
import { createLogger } from '../../../src/kernel/logger.ts';
import { createPoster } from '../../../src/output-kit/posting/poster.ts';
import { Refusal } from '../../../src/output-kit/posting/poster-answer.ts';
import { startHttpReceiver } from '../../plugins/outputs/support/http-receiver.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

const post = { body: Buffer.from('body'), contentType: 'text/plain' };
const { signal } = new AbortController();
const log = createLogger({ level: 'silent', instance: 'test', destination: new PassThrough() });

const posterFor = (url: string, changed = {}, settings = {}) =>
  createPoster(
    { url, headers: {}, secret_headers: {}, timeout_ms: 5_000, tls: {}, ...changed },
    { log, maxAnswerBytes: 16, ...settings },
  );

describe('createPoster', () => {
  it('sends secret headers, and its own headers over configured ones', async () => {
    await using receiver = await startHttpReceiver(() => 204);
    const headers = { 'Content-Type': 'x', 'X-Team': 'network' };
    const poster = posterFor(receiver.url, { headers, secret_headers: { 'Api-Key': new Secret('hunter2') } });
    await poster.post({ ...post, contentEncoding: 'snappy' }, signal);
    poster.close();
    const [request] = receiver.requests;
    assert.equal(request!.headers['api-key'], 'hunter2');
    assert.equal(request!.headers['x-team'], 'network');
    assert.equal(request!.headers['content-type'], 'text/plain');
    assert.equal(request!.headers['content-encoding'], 'snappy');
    assert.equal(request!.body.toString(), 'body');
  });

  it('sends a secret as its file has it now, and never shows the one before either', async (t) => {
    const directory = temporaryFolder(t);
    const write = (text: string) => {
      writeFileSync(join(directory, 'new'), text);
      renameSync(join(directory, 'new'), join(directory, 'token'));
    };
    write('first-secret\n');
    await using receiver = await startHttpReceiver(() => ({ status: 401, body: 'not first-secret' }));
    const token = resolveSecret('${file:token}', { env: {}, directory });
    const scheme = token.derive((value) => `Token ${value}`);
    const poster = posterFor(receiver.url, { token, secret_headers: { 'x-key': scheme } });
    const sent = async () => {
      await assert.rejects(
        poster.post(post, signal),
        (error: Error) => !/first-secret/.test(explainError(error)),
      );
      const { authorization, 'x-key': key } = receiver.requests.at(-1)!.headers;
      return [authorization, key];
    };
    assert.deepEqual(await sent(), ['Bearer first-secret', 'Token first-secret']);
    write('second-secret\n');
    await until(async () => (await sent())[0] === 'Bearer second-secret');
    assert.deepEqual(await sent(), ['Bearer second-secret', 'Token second-secret']);
    // While it is written, and when it is gone, the last one stays.
    for (const change of [() => write(''), () => rmSync(join(directory, 'token'))]) {
      change();
      await sleep(1_100);
      assert.deepEqual(await sent(), ['Bearer second-secret', 'Token second-secret']);
    }
    poster.close();
  });

  it('keeps one connection open', async () => {
    await using receiver = await startHttpReceiver(() => 204);
    const poster = posterFor(receiver.url);
    for (let i = 0; i < 5; i++) await poster.post(post, signal);
    poster.close();
    assert.equal(receiver.requests.length, 5);
    assert.equal(new Set(receiver.requests.map(({ clientPort }) => clientPort)).size, 1);
  });

  it('treats an unanswered request as retryable', async () => {
    await using receiver = await startHttpReceiver(() => ({ status: undefined }));
    const poster = posterFor(receiver.url, { timeout_ms: 30 });
    await assert.rejects(poster.post(post, signal), (error: Error) => {
      assert.match(error.message, /^no answer within 30 ms/);
      return !(error instanceof Refusal);
    });
    poster.close();
  });

  it('waits as Retry-After asks, in seconds or by date, within its attempt', async () => {
    let nowMs = Date.parse('2026-01-31T12:00:00Z');
    const pauses = ['3', 'Sat, 31 Jan 2026 12:00:09 GMT', 'soon'];
    const wanted = [3_000, 6_000, 0];
    await using receiver = await startHttpReceiver((_, count) => ({
      status: 429,
      headers: { 'retry-after': pauses[count - 1] ?? '' },
    }));
    const poster = posterFor(receiver.url, {}, { now: () => nowMs });
    for (const [i, pauseMs] of wanted.entries()) {
      await assert.rejects(poster.post(post, signal), /answered 429/);
      assert.equal(receiver.requests.length, i + 1);
      if (pauseMs === 0) continue;
      nowMs += pauseMs - 40;
      await assert.rejects(poster.post(post, AbortSignal.timeout(5)), { name: 'AbortError' });
      assert.equal(receiver.requests.length, i + 1, 'it asked too early');
      nowMs += 40;
    }
    poster.close();
  });

  it('reports that the server asked for a long pause', async () => {
    await using receiver = await startHttpReceiver(() => ({
      status: 429,
      headers: { 'retry-after': '300' },
    }));
    const poster = posterFor(receiver.url, {}, { now: () => 1_700_000_000_000 });
    await assert.rejects(poster.post(post, signal), /answered 429/);
    await assert.rejects(poster.post(post, signal), (error: Error) => {
      assert.match(
        explainError(error),
        /^.+ asked to wait another 300 s before the next request \(.+ answered 429\)$/,
      );
      return true;
    });
    assert.equal(receiver.requests.length, 1);
    poster.close();
  });

  it('quotes the reason of the server on one line, without a secret', async () => {
    const answers = ['no\nsuch "index"\u009b\u202e', 'the token hunter2 is wrong', 'x'.repeat(100)];
    await using receiver = await startHttpReceiver((_, count) => ({
      status: 400,
      body: answers[count - 1],
    }));
    const poster = posterFor(receiver.url, { token: new Secret('hunter2') }, { maxAnswerBytes: 64 });
    const reasons: string[] = [];
    for (const _ of answers) {
      await poster.post(post, signal).catch((error: Error) => reasons.push(error.message));
    }
    poster.close();
    const place = `${receiver.url}/ answered 400`;
    assert.deepEqual(reasons, [
      `${place}: "no\\nsuch \\"index\\"\\u{9b}\\u{202e}"`,
      place,
      `${place}: "${'x'.repeat(64)}"`,
    ]);
  });

  it('asks for uncompressed answers', async () => {
    await using receiver = await startHttpReceiver(() => 204);
    const poster = posterFor(receiver.url);
    await poster.post(post, signal);
    poster.close();
    assert.equal(receiver.requests[0]!.headers['accept-encoding'], 'identity');
  });

  it('names an unreachable server, with a code', async () => {
    const poster = posterFor('http://127.0.0.1:9/in?key=hunter2');
    await assert.rejects(poster.post(post, signal), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'SERVER_UNREACHABLE');
      assert.match(
        explainError(error),
        /^http:\/\/127\.0\.0\.1:9 cannot be reached.*nothing accepts connections there/,
      );
      return true;
    });
    poster.close();
  });

  it('never repeats a secret in any form', async () => {
    const ways = [
      { username: 'me', password: new Secret('hunter2') },
      { secret_headers: { Authorization: new Secret('ApiKey hunter2') } },
    ];
    for (const changed of ways) {
      await using receiver = await startHttpReceiver(({ headers }, count) => ({
        status: 401,
        body: `no: ${count === 1 ? headers.authorization : headers.authorization?.split(' ')[1]}`,
      }));
      const poster = posterFor(receiver.url, changed, { maxAnswerBytes: 200 });
      for (let i = 0; i < 2; i++) {
        await assert.rejects(poster.post(post, signal), (error: Error) => {
          assert.equal(explainError(error.cause), `${receiver.url}/ answered 401`);
          return true;
        });
      }
      poster.close();
    }
  });

  it('refuses two logins or half a login', () => {
    const [token, password] = [new Secret('hunter2'), new Secret('hunter3')];
    const twice = [
      { token, username: 'me', password },
      { token, headers: { Authorization: 'x' } },
      { username: 'me', secret_headers: { authorization: token } },
    ];
    for (const changed of twice) {
      assert.throws(() => posterFor('http://127.0.0.1/', changed), { code: 'OUTPUT_LOGIN_TWICE' });
    }
    assert.throws(() => posterFor('http://127.0.0.1/', { password }), { code: 'OUTPUT_PASSWORD_ALONE' });
  });

  it('refuses an invalid URL or header, and names it', () => {
    assert.throws(() => posterFor('http://'), { code: 'OUTPUT_URL_INVALID' });
    assert.throws(
      () => posterFor('http://me:hunter2@127.0.0.1/'),
      (error: Error) => {
        assert.doesNotMatch(error.message, /hunter2/);
        return 'code' in error && error.code === 'OUTPUT_URL_HAS_SECRET';
      },
    );
    const tellsNothing = (error: Error) => !/hunter2/.test(explainError(error));
    for (const url of ['http://me:hunter2@host:99999/', 'http://host:99999/?key=hunter2']) {
      assert.throws(() => posterFor(url), tellsNothing);
    }
    const alone = { password: new Secret('hunter3') };
    assert.throws(() => posterFor('http://127.0.0.1/?key=hunter2', alone), tellsNothing);
    const secretHeaders = { 'Api-Key': new Secret('hunter2\r\nx: y') };
    assert.throws(
      () => posterFor('http://127.0.0.1/', { secret_headers: secretHeaders }),
      (error: Error) => {
        assert.match(error.message, /"Api-Key"/);
        assert.doesNotMatch(JSON.stringify(error) + error.message, /hunter2/);
        return true;
      },
    );
  });
});
