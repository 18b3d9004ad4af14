import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import poller from '../../../../plugins/snmp-poller/index.ts';
import webPage from '../../../../plugins/web-page/index.ts';
import { until } from '../../../support/until.ts';
import type { Answer } from '../../http-api/support/api-stack.ts';
import { startThreeSwitches } from '../../http-api/support/three-switches.ts';
import { missingBrowser, plainHost, useBrowser } from '../support/browser.ts';

const more = [{ plugin: poller }, { plugin: webPage }];
/** Browsers allow six connections per host over HTTP/1.1. */
const windows = 9;
const place = '#/events?kind=discovery&find=requested';

describe('many windows of one browser', { skip: missingBrowser }, () => {
  const open = useBrowser();

  it('all show events while all are visible, also after the one with the stream closes', async (t) => {
    const { baseUrl, post, agents } = await startThreeSwitches(t, { more });
    const rediscover = () => requestDiscovery(post, agents[1]!.port);
    await rediscover();
    const { page, errors } = await open('about:blank');
    const streams = countStreams(page.context());
    await page.goto(`${baseUrl}/${place}`);
    const pages = [page, ...(await openMore(page, windows - 1))];
    await countEach(pages, 1);
    assert.equal(streams.size, 1);
    await rediscover();
    await countEach(pages, 2);
    await page.close();
    const others = pages.slice(1);
    await rediscover();
    await countEach(others, 3);
    assert.deepEqual(errors, []);
  });

  it('hold a connection only while visible, where a window cannot hold it for all', async (t) => {
    const { baseUrl, post, agents } = await startThreeSwitches(t, { api: { hosts: [plainHost] }, more });
    const rediscover = () => requestDiscovery(post, agents[1]!.port);
    await rediscover();
    const url = baseUrl.replace('127.0.0.1', plainHost);
    const { page, errors } = await open('about:blank');
    await page.context().addInitScript(pretendVisibility);
    const streams = countStreams(page.context());
    await page.goto(`${url}/${place}`);
    assert.equal(await page.evaluate('isSecureContext'), false);
    await countEach([page], 1);
    assert.equal(streams.size, 1);
    await page.evaluate('setVisible(false)');
    const hidden: Page[] = [page];
    while (hidden.length < windows) {
      const [next] = await openMore(page, 1);
      await countEach([next!], 1);
      await next!.evaluate('setVisible(false)');
      hidden.push(next!);
    }
    await until(() => streams.size === 0);
    await rediscover();
    await countEach([page], 1);
    await page.evaluate('setVisible(true)');
    await countEach(hidden, 2);
    // The browser itself reports a header that it heeds on loopback and over TLS only.
    assert.deepEqual(
      errors.filter((text) => !/^The Cross-Origin-Opener-Policy header has been ignored/.test(text)),
      [],
    );
  });
});

/** Headless Chromium calls every window visible: this says otherwise, as the browser would. */
function pretendVisibility(): void {
  let isVisible = true;
  const state = { get: () => (isVisible ? 'visible' : 'hidden') };
  Object.defineProperty(Reflect.get(globalThis, 'document'), 'visibilityState', state);
  Reflect.set(globalThis, 'setVisible', (visible: boolean) => {
    isVisible = visible;
    Reflect.get(globalThis, 'document').dispatchEvent(new Event('visibilitychange'));
  });
}

async function requestDiscovery(
  post: (path: string, body: object) => Promise<Answer>,
  port: number,
): Promise<void> {
  const { status, text } = await post('/api/v1/snmp/rediscover-device?wait=true', { ip: '127.0.0.1', port });
  assert.equal(status, 200, text);
}

/** The open streams of events of all windows. */
function countStreams(context: BrowserContext): ReadonlySet<unknown> {
  const open = new Set<unknown>();
  context.on('request', (request) => {
    if (request.url().includes('/api/v1/events')) open.add(request);
  });
  context.on('requestfailed', (request) => open.delete(request));
  context.on('requestfinished', (request) => open.delete(request));
  return open;
}

async function openMore(page: Page, count: number): Promise<Page[]> {
  const pages: Page[] = [];
  while (pages.length < count) {
    const next = await page.context().newPage();
    await next.goto(page.url());
    pages.push(next);
  }
  return pages;
}

const completed = (page: Page) => page.getByText('discovery.completed');

/** Each page shows this many completed discoveries, each once. */
async function countEach(pages: readonly Page[], count: number): Promise<void> {
  for (const page of pages) {
    await completed(page)
      .nth(count - 1)
      .waitFor();
    assert.equal(await completed(page).count(), count);
  }
}
