import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { onlyLong } from '../../../support/long-run.ts';
import { findBarriers, missingBrowser, useBrowser } from '../support/browser.ts';
import { startPage, tokens } from '../support/page-stack.ts';
import { startSubPathProxy } from '../support/sub-path-proxy.ts';

async function signIn(page: Page, token: string) {
  await page.locator('input[name=token]').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const frame = (page: Page) => page.getByRole('navigation').first();

describe('in a browser, the page', { skip: missingBrowser }, () => {
  const open = useBrowser();

  it('asks for a token, refuses a wrong one, and keeps none', async (t) => {
    const { baseUrl } = await startPage(t);
    const { page, errors } = await open(`${baseUrl}/`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    assert.deepEqual(errors, []);
    await signIn(page, 'wrong');
    assert.match((await page.getByRole('alert').textContent())!, /unknown or has expired/);
    // The browser itself reports the refused request.
    const refused = errors.splice(0, errors.length);
    assert.ok(
      refused.every((text) => /\/page\/sign-in$/.test(text)),
      refused.join('\n'),
    );
    await signIn(page, tokens.operate);
    await frame(page).waitFor();
    assert.equal(new URL(page.url()).search, '');
    assert.doesNotMatch(
      String(
        await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])'),
      ),
      /token-of|waywiser_session/,
    );
    const [cookie] = await page.context().cookies();
    assert.deepEqual(
      [cookie?.name, cookie?.httpOnly, cookie?.sameSite, cookie?.path],
      ['waywiser_session', true, 'Strict', '/'],
    );
    // The session outlives the page, and ends with signing out.
    await page.reload();
    await frame(page).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    assert.deepEqual(errors, []);
  });

  it('offers a role without rights no button that the API would refuse', { skip: onlyLong }, async (t) => {
    const { baseUrl } = await startPage(t);
    const apply = (page: Page) => page.getByRole('button', { name: /apply/i });
    const counts = [];
    for (const role of ['read', 'operate'] as const) {
      const { page, errors } = await open(`${baseUrl}/#/definitions`);
      await signIn(page, tokens[role]);
      await page
        .getByRole('heading', { name: /definitions/i })
        .first()
        .waitFor();
      counts.push(await apply(page).count());
      assert.deepEqual(errors, []);
    }
    assert.equal(counts[0], 0);
    assert.ok(counts[1]! > 0);
  });

  it('works below a path of a reverse proxy, and loads nothing from elsewhere', async (t) => {
    const { baseUrl } = await startPage(t);
    const address = await startSubPathProxy(t, baseUrl);
    const { page, errors } = await open('about:blank');
    const loaded: string[] = [];
    page.on('request', (request) => void loaded.push(request.url()));
    await page.goto(address);
    await signIn(page, tokens.read);
    await frame(page).waitFor();
    assert.ok(loaded.length > 4, loaded.join('\n'));
    assert.deepEqual(
      loaded.filter((url) => !url.startsWith(address)),
      [],
    );
    assert.deepEqual(errors, []);
  });

  it('says that the connection is lost, and comes back by itself', { skip: onlyLong }, async (t) => {
    const { baseUrl } = await startPage(t, { api: { tokens: [], passwords: [] } });
    const { page } = await open(`${baseUrl}/`);
    await frame(page).waitFor();
    await page.context().setOffline(true);
    // Streams that are open stay so for the browser, hence the request of the next poll decides.
    await page.getByText(/connection to the collector is lost/i).waitFor();
    await page.context().setOffline(false);
    await page.getByText(/connection to the collector is lost/i).waitFor({ state: 'detached' });
  });
});
