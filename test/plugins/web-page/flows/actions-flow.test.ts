import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hashToken } from '../../../../plugins/http-api/security/credentials/stored-token.ts';
import networks from '../../../../plugins/network-discovery/index.ts';
import poller from '../../../../plugins/snmp-poller/index.ts';
import traps from '../../../../plugins/snmp-traps/index.ts';
import webPage from '../../../../plugins/web-page/index.ts';
import { startReplayAgent } from '../../../../src/testing/index.ts';
import { startThreeSwitches } from '../../http-api/support/three-switches.ts';
import { findBarriers, missingBrowser, useBrowser } from '../support/browser.ts';
import { tokens } from '../support/page-stack.ts';

const more = [{ plugin: poller }, { plugin: webPage }];
const community = 'WAYWISER_TEST_PAGE';

describe('what the page does with devices, traps and events', { skip: missingBrowser }, () => {
  const open = useBrowser();

  it('adds a device that the collector first refuses, and removes it', async (t) => {
    process.env[community] = 'public';
    const agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    t.after(() => agent.close());
    const api = { managed_devices: { networks: ['127.0.0.0/8'], secrets: [`env:${community}`] } };
    const { baseUrl } = await startThreeSwitches(t, { more, api });
    const { page, errors } = await open(`${baseUrl}/#/devices`);
    await page.getByRole('button', { name: 'Add a device' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('new!');
    await form.getByLabel('Address').fill('127.0.0.1');
    await form.getByLabel('Port').fill(String(agent.port));
    await form.getByLabel('SNMP version').selectOption('2c');
    await form.getByLabel('Community').fill('public');
    await form.getByLabel('Device group').selectOption('plain');
    await form.getByRole('button', { name: 'Add' }).click();
    await form.getByText('communities.0').waitFor();
    await form.getByText(/The device needs a name of at most 200 characters/).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await form.getByLabel('Name').fill('new-1');
    await form.getByLabel('Community').fill(`\${env:${community}}`);
    await form.getByRole('button', { name: 'Add' }).click();
    await page.getByText('new-1 was added.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'new-1' }).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page
      .getByRole('dialog')
      .getByText(/stops polling new-1/)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('new-1 was removed.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor();
    // A device of the files is removed there.
    await page.goto(`${baseUrl}/#/device/a`);
    await page.getByRole('button', { name: 'Poll now' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Remove' }).count(), 0);
    // The browser itself reports the refused request.
    assert.deepEqual(
      errors.filter((text) => !text.includes('422')),
      [],
    );
  });

  it('offers nobody below the role admin to add or remove devices', async (t) => {
    const api = {
      tokens: [{ name: 'otto', role: 'operate' as const, sha256: hashToken(tokens.operate).toString('hex') }],
    };
    const { baseUrl } = await startThreeSwitches(t, { more, api });
    const { page } = await open(`${baseUrl}/#/devices`);
    await page.locator('input[name=token]').fill(tokens.operate);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'b', exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Add a device' }).count(), 0);
  });

  it('shows the networks with their ranges before the first scan, and scans one', async (t) => {
    const { baseUrl, folder, post, agents } = await startThreeSwitches(t, {
      more: [...more, { plugin: networks, options: { at_start: false } }],
    });
    const network = (id: string, range: string) =>
      `${id}: { networks: [${range}], port: ${agents[0]!.port}, credentials: [{ version: 2c, community: public }] }\n`;
    folder.write(
      'autodiscover/networks.yml',
      network('hall', '127.0.21.0/30') + network('yard', '127.0.22.0/31'),
    );
    await post('/api/v1/snmp/apply-definitions');
    const { page, errors } = await open(`${baseUrl}/#/networks`);
    await page.getByText('127.0.21.0/30').waitFor();
    await page.getByText('autodiscover/networks.yml:2').waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole('button', { name: 'Scan yard' }).click();
    await page.getByText('A scan of yard was requested.').waitFor();
    await page.getByText('somebody requested it').waitFor();
    assert.deepEqual(errors, []);
  });

  it('opens an event with all that the collector says, and goes to its device', async (t) => {
    const { baseUrl } = await startThreeSwitches(t, { more });
    const { page, errors } = await open(`${baseUrl}/#/events?find=discovery.completed`);
    const events = page.getByRole('region', { name: 'Events' });
    await events.getByRole('link', { name: 'b', exact: true }).waitFor();
    await events.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('"instances"').waitFor();
    await dialog.getByText(/UTC\)/).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    const link = dialog.getByRole('link');
    const name = (await link.textContent())!;
    await link.click();
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.deepEqual(errors, []);
  });

  it('opens a notification from its address, with what was polled because of it', async (t) => {
    const { baseUrl } = await startThreeSwitches(t, {
      more: [
        ...more,
        { plugin: traps, options: { listen: [{ address: '127.0.0.1', port: 0 }], threads: 0 } },
      ],
    });
    const { page, errors } = await open('about:blank');
    const trap = {
      trapId: 'T1',
      time: new Date().toISOString(),
      device: { name: 'a', ip: '127.0.0.1', port: 161 },
      identity: 'engine',
      name: 'IF-MIB::linkDown',
      oid: '1.3.6.1.6.3.1.1.5.3',
      severity: 'error',
      category: 'link',
      message: 'ge-0/3 is down',
      source: '127.0.0.1',
      version: '3',
      kind: 'inform',
      level: 'authPriv',
      user: 'ops',
      polls: [{ time: new Date().toISOString(), outcome: 'polled', objects: ['IF-MIB::ifEntry'] }],
    };
    await page.route('**/api/v1/snmp/traps?*', (route) => route.fulfill({ json: { traps: [trap] } }));
    await page.route('**/api/v1/snmp/traps/T1', (route) => route.fulfill({ json: trap }));
    await page.goto(`${baseUrl}/#/traps?tab=all&trap=T1`);
    const dialog = page.getByRole('dialog', { name: 'IF-MIB::linkDown' });
    await dialog.getByText('SNMPv3 inform, authPriv, user ops').waitFor();
    await dialog.getByText('IF-MIB::ifEntry').waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Traps' }).getByText('ge-0/3 is down').click();
    await dialog.waitFor();
    assert.match(page.url(), /trap=T1/);
    assert.deepEqual(errors, []);
  });
});
