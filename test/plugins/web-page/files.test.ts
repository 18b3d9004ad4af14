import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { readPageFiles } from '../../../plugins/web-page/page-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startPage } from './support/page-stack.ts';

const folder = fileURLToPath(new URL('../../../plugins/web-page/files/', import.meta.url));
const index = readFileSync(join(folder, 'index.html'), 'utf8');
const referred = [...index.matchAll(/(?:src|href)="\.\/page\/files\/([^"]+)"/g)].map(([, name]) => name!);
const maxFirstViewBytes = 150_000;

describe('the files of the page', () => {
  it('of the first view have at most 150 kB, compressed by gzip', () => {
    const loaded = new Set(['index.html', ...referred]);
    // A module loads the modules that it imports, before it runs.
    for (const name of loaded) {
      const text = readFileSync(join(folder, name), 'utf8');
      for (const [, path] of text.matchAll(/(?:\bfrom|\bimport)"\.\/([\w-]+\.js)"/g)) loaded.add(path!);
    }
    const bytes = [...loaded].reduce((sum, name) => sum + statSync(join(folder, `${name}.gz`)).size, 0);
    assert.ok(bytes > 5_000 && bytes <= maxFirstViewBytes, `${bytes} bytes`);
  });

  it('refer to nothing elsewhere, and contain the licences of what was bundled', () => {
    assert.ok(referred.length >= 3, index);
    assert.doesNotMatch(index, /https?:|<script>|<style|style="|\son\w+=/);
    const main = readFileSync(join(folder, referred.find((name) => name.endsWith('.js'))!), 'utf8');
    for (const name of ['preact', '@preact/signals', 'uplot']) assert.ok(main.includes(`${name}: `), name);
    assert.match(main, /Jason Miller[\s\S]+Leon Sorokin/);
    assert.doesNotMatch(main, /sourceMappingURL|\beval\(|new Function\(/);
  });

  it('are the same in each compressed form', () => {
    const files = readPageFiles(folder);
    assert.equal(files.length * 3, readdirSync(folder).length);
    for (const { name, plain, gzip, br } of files) {
      assert.ok(gunzipSync(gzip).equals(plain), name);
      assert.ok(brotliDecompressSync(br).equals(plain), name);
    }
  });

  it('are named when the build did not make them', (t) => {
    const empty = temporaryFolder(t);
    assert.throws(() => readPageFiles(empty), { code: 'WEB_PAGE_NOT_BUILT' });
  });

  it('are served to everybody, in the form that the browser accepts', async (t) => {
    const { call } = await startPage(t);
    for (const [accepted, expected] of [
      ['gzip, deflate, br', 'br'],
      ['gzip;q=1.0, br;q=0', 'gzip'],
      ['GZIP', 'gzip'],
      ['identity', null],
      ['', null],
      ['br;q=0.000', null],
    ] as const) {
      const answer = await call('GET', '/', { headers: { 'accept-encoding': accepted } });
      assert.equal(answer.headers.get('content-encoding'), expected, accepted);
      assert.equal(answer.text, index, accepted);
      assert.equal(answer.type, 'text/html; charset=utf-8');
    }
    for (const name of referred) assert.equal((await call('GET', `/page/files/${name}`)).status, 200, name);
  });

  it('may be kept by browsers when their name has their hash, and are asked for again otherwise', async (t) => {
    const { call } = await startPage(t);
    for (const [path, caching] of [
      ['/', 'no-store'],
      [`/page/files/${referred[0]}`, 'public, max-age=31536000, immutable'],
      ['/page/session', 'no-store'],
      ['/api/v1/snmp/devices', 'no-store'],
    ] as const) {
      assert.equal((await call('GET', path)).headers.get('cache-control'), caching, path);
    }
    const path = `/page/files/${referred[0]}`;
    const etag = (await call('GET', path)).headers.get('etag')!;
    for (const [known, status] of [
      [etag, 304],
      [`W/${etag}`, 304],
      [`"x", ${etag}`, 304],
      ['"x"', 200],
    ] as const) {
      const answer = await call('GET', path, { headers: { 'if-none-match': known } });
      assert.equal(answer.status, status, known);
      assert.equal(answer.headers.get('etag'), etag);
      assert.equal(answer.text === '', status === 304);
    }
    const head = await call('HEAD', path);
    assert.deepEqual([head.status, head.text, head.headers.get('etag')], [200, '', etag]);
    assert.equal(Number(head.headers.get('content-length')) > 0, true);
  });

  it('forbid inline scripts, other origins and frames', async (t) => {
    const { call } = await startPage(t);
    for (const path of ['/', `/page/files/${basename(referred.at(-1)!)}`]) {
      const { headers } = await call('GET', path);
      const policy = headers.get('content-security-policy')!;
      assert.match(policy, /default-src 'none'; script-src 'self';.*frame-ancestors 'none'/);
      assert.doesNotMatch(policy, /unsafe|http|\*|data:/);
      assert.equal(headers.get('x-frame-options'), 'DENY');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
    }
  });

  it('are the only ones that are served', async (t) => {
    const { call } = await startPage(t);
    for (const path of [
      'index.html',
      'x.js',
      '../index.js',
      '..%2findex.js',
      '%2e%2e/index.js',
      `${referred[0]}.gz`,
      `${referred[0]}/`,
      '',
    ]) {
      assert.equal((await call('GET', `/page/files/${path}`)).status, 401, path);
    }
    assert.equal((await call('POST', '/')).status, 401);
  });
});
