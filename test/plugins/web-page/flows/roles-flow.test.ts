import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import history from '../../../../plugins/history/index.ts';
import { hashToken } from '../../../../plugins/http-api/security/credentials/stored-token.ts';
import networks from '../../../../plugins/network-discovery/index.ts';
import poller from '../../../../plugins/snmp-poller/index.ts';
import traps from '../../../../plugins/snmp-traps/index.ts';
import webPage from '../../../../plugins/web-page/index.ts';
import { isLong } from '../../../support/long-run.ts';
import { startThreeSwitches } from '../../http-api/support/three-switches.ts';
import { findBarriers, missingBrowser, useBrowser } from '../support/browser.ts';
import { tokens } from '../support/page-stack.ts';

const roles = ['read', 'operate', 'admin'] as const;
const themes = isLong ? (['light', 'dark'] as const) : (['light'] as const);
const tabs = ['overview', 'interfaces', 'values', 'polling', 'events'].map((tab) => `device/a?tab=${tab}`);
const views = [
  'fleet',
  'devices',
  'definitions',
  'events',
  'traps',
  'networks',
  'plugins',
  'cluster',
  ...tabs,
];
/** The buttons whose requests need the role `operate`, by view. */
const acting: Readonly<Record<string, readonly RegExp[]>> = {
  definitions: [/^Preview$/, /^Apply$/],
  networks: [/^Scan all networks now$/],
  ...Object.fromEntries(tabs.map((tab) => [tab, [/^Poll now$/, /^Rediscover$/]])),
};
const more = [
  { plugin: poller },
  { plugin: history },
  { plugin: traps, options: { listen: [{ address: '127.0.0.1', port: 0 }], threads: 0 } },
  { plugin: networks, options: { at_start: false } },
  { plugin: webPage },
];

const startWithRoles = (t: Parameters<typeof startThreeSwitches>[0]) =>
  startThreeSwitches(t, {
    more,
    api: {
      tokens: roles.map((role) => ({ name: role, role, sha256: hashToken(tokens[role]).toString('hex') })),
    },
  });

async function showView(page: Page, baseUrl: string, view: string): Promise<void> {
  await page.goto(`${baseUrl}/#/${view}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('.view').waitFor();
  for (const text of await page.getByText(/^Loading/).all()) await text.waitFor({ state: 'detached' });
}

describe('every view in a browser', { skip: missingBrowser }, () => {
  const open = useBrowser();

  for (const role of isLong ? roles : (['read'] as const)) {
    for (const colorScheme of themes) {
      it(`as ${role}, in ${colorScheme} colours: what the role may do, no barrier, no error`, async (t) => {
        const { baseUrl } = await startWithRoles(t);
        const { page, errors } = await open(`${baseUrl}/`, { colorScheme });
        const refused: string[] = [];
        await page.locator('input[name=token]').fill(tokens[role]);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('heading', { name: 'Fleet' }).waitFor();
        page.on('response', (response) => {
          if ([401, 403].includes(response.status())) refused.push(response.url());
        });
        for (const view of views) {
          await showView(page, baseUrl, view);
          for (const name of acting[view] ?? []) {
            const button = page.getByRole('main').getByRole('button', { name });
            if (role === 'read') assert.equal(await button.count(), 0, `${view} offers ${name}`);
            else await button.first().waitFor();
          }
          assert.deepEqual(await findBarriers(page), [], view);
        }
        assert.deepEqual(refused, []);
        assert.deepEqual(errors, []);
      });
    }
  }

  it('shows nobody anything but the form', async (t) => {
    const { baseUrl } = await startWithRoles(t);
    const { page, errors } = await open('about:blank');
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/')) asked.push(request.url());
    });
    for (const view of views) {
      await page.goto(`${baseUrl}/#/${view}`);
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      assert.equal(await page.getByRole('navigation').count(), 0, view);
    }
    assert.deepEqual(asked, []);
    assert.deepEqual(errors, []);
  });

  it('answers the letters after g, and Enter in a table', async (t) => {
    const { baseUrl } = await startThreeSwitches(t, { more });
    const { page, errors } = await open(`${baseUrl}/`);
    await page.getByRole('heading', { name: 'Fleet' }).waitFor();
    const letters = { d: 'Devices', c: 'Definitions', e: 'Events', t: 'Traps', n: 'Networks', f: 'Fleet' };
    for (const [letter, title] of Object.entries(letters)) {
      await page.keyboard.press('g');
      await page.keyboard.press(letter);
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    }
    await page.goto(`${baseUrl}/#/devices`);
    await page.getByRole('link', { name: 'b', exact: true }).waitFor();
    await page.getByRole('region', { name: 'Devices' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'b', exact: true }).waitFor();
    assert.deepEqual(errors, []);
  });
});
