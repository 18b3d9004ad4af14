import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import history from '../../../../plugins/history/index.ts';
import poller from '../../../../plugins/snmp-poller/index.ts';
import webPage from '../../../../plugins/web-page/index.ts';
import { changedInterfaces, startThreeSwitches } from '../../http-api/support/three-switches.ts';
import { findBarriers, missingBrowser, useBrowser } from '../support/browser.ts';

const more = [{ plugin: poller }, { plugin: webPage }];

describe('the views in a browser', { skip: missingBrowser }, () => {
  const open = useBrowser();

  it('find a device, poll it, rediscover it, and explain a value', async (t) => {
    const { baseUrl, heard } = await startThreeSwitches(t, { more });
    const { page, errors } = await open(`${baseUrl}/`, { colorScheme: 'dark' });
    await page.getByRole('heading', { name: 'Fleet' }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill('b');
    await page.getByRole('option', { name: /^b/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'b', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Poll now' }).click();
    await page.getByText(/b was polled: \d+ values/).waitFor();
    await page.getByRole('button', { name: 'Rediscover' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rediscover' }).click();
    await page.getByText(/b was discovered: \d+ objects/).waitFor();
    assert.deepEqual(heard, ['b requested']);
    await page.getByRole('link', { name: 'All values' }).click();
    await page.getByTitle('Explain netif.bytes.in', { exact: true }).first().click();
    const steps = page.getByRole('dialog').getByRole('listitem');
    await steps
      .filter({ hasText: 'Request' })
      .getByText(/^1\.3\.6\.1\.2\.1\.31\.1\.1\.1\.6\.\d+$/)
      .waitFor();
    await steps.filter({ hasText: 'Reply' }).getByText('Counter64').waitFor();
    await steps.filter({ hasText: 'Decoding' }).getByText('BytesB').waitFor();
    await steps.filter({ hasText: 'Result' }).getByText('netif.bytes.in').waitFor();
    await page.getByText('The last poll returned it.').waitFor();
    assert.deepEqual(await findBarriers(page), []);
    // A link to a view whose plugin this collector does not have.
    await page.goto(`${baseUrl}/#/networks`);
    await page.getByRole('heading', { name: 'The plugin network-discovery does not run' }).waitFor();
    assert.deepEqual(errors, []);
  });

  it('preview and apply an edited definition file', async (t) => {
    const { baseUrl, folder, heard } = await startThreeSwitches(t, { more });
    const { page, errors } = await open(`${baseUrl}/#/definitions`);
    folder.write('objects/interfaces.yml', changedInterfaces);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('2 devices affected').waitFor();
    await page.getByRole('heading', { name: 'objects/interfaces.yml' }).waitFor();
    await page.getByText('attributes.ifInOctets.field: netif.bytes.in → netif.octets.in').waitFor();
    await page.getByRole('row', { name: /^Packets per second/ }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    await page.getByText('2 of 2 devices rediscovered').waitFor();
    assert.deepEqual(heard.toSorted(), ['a forced', 'b forced']);
    folder.write('objects/interfaces.yml', 'not: [closed');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('The files have errors').waitFor();
    await page
      .getByText(/objects\/interfaces\.yml:\d+:\d+/)
      .first()
      .waitFor();
    // The browser itself reports the refused request.
    assert.deepEqual(
      errors.filter((text) => !/apply-definitions/.test(text)),
      [],
    );
  });

  it('draw the time that is chosen, and a part of it that is selected', async (t) => {
    const { baseUrl } = await startThreeSwitches(t, { more: [...more, { plugin: history }] });
    const { page, errors } = await open('about:blank');
    // 120 values up to now: 7 in the last quarter of an hour, 3 in longer times.
    await page.route('**/api/v1/history?*', async (route) => {
      const { searchParams } = new URL(route.request().url());
      const [from, to] = ['from', 'to'].map((name) => Number(searchParams.get(name))) as [number, number];
      const times = Array.from({ length: 120 }, (_, i) => from + (i * (to - from)) / 119);
      const values = times.map(() => (to - from <= 900_001 ? 7 : 3));
      const place = { device: 'a', record: searchParams.get('record')!, row: '', labels: {}, gaps: [] };
      const series = searchParams.getAll('field').map((field) => ({ ...place, field, values }));
      await route.fulfill({ json: { times, series } });
    });
    await page.goto(`${baseUrl}/#/device/a`);
    const graph = page.getByRole('figure').filter({ hasText: 'Poll duration' });
    await graph.scrollIntoViewIfNeeded();
    await graph.getByText(/longest poll 3/).waitFor();
    await page.getByRole('button', { name: '15 min' }).click();
    await graph.getByText(/longest poll 7/).waitFor();
    const { x, y, width } = (await graph.locator('.u-over').boundingBox())!;
    await page.mouse.move(x + 2, y + 20);
    await page.mouse.down();
    await page.mouse.move(x + width - 2, y + 20, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/range=\d+-\d+/);
    const [, from, to] = /range=(\d+)-(\d+)/.exec(page.url())!.map(Number) as [number, number, number];
    assert.ok(to - from > 800 && to - from <= 901, `${to - from} seconds were selected`);
    assert.deepEqual(errors, []);
  });

  it('draw the line of each device, also when the list is the first view', async (t) => {
    const { baseUrl } = await startThreeSwitches(t, { more: [...more, { plugin: history }] });
    const { page, errors } = await open('about:blank');
    await page.route('**/api/v1/history?*', async (route) => {
      const { searchParams } = new URL(route.request().url());
      const place = {
        record: 'waywiser::device',
        row: 'device',
        labels: {},
        field: 'poll.duration',
        gaps: [],
      };
      const series = searchParams.getAll('device').map((device) => ({ ...place, device, values: [1, 2, 3] }));
      await route.fulfill({ json: { times: [1, 2, 3], series } });
    });
    await page.goto(`${baseUrl}/#/devices`);
    const line = page.getByRole('img', { name: 'How long polls took in the last hour' });
    await line.nth(2).waitFor();
    assert.deepEqual(errors, []);
  });

  it('fit on a phone, and show hostile text as text', async (t) => {
    const { baseUrl, agents } = await startThreeSwitches(t, { more });
    const hostile = `<img src=x onerror="document.title='owned'">\u202e${'x'.repeat(10_000)}`;
    const { page, errors } = await open('about:blank', { viewport: { width: 390, height: 844 } });
    // A device, a proxy or a file may say anything; definitions would refuse this name.
    await page.route('**/api/v1/snmp/devices?*', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      for (const device of body.devices) Object.assign(device, { name: hostile, why: hostile });
      await route.fulfill({ response, json: body });
    });
    for (const view of [
      'fleet',
      'devices',
      'definitions',
      'events',
      'plugins',
      `device/127.0.0.1:${agents[0]!.port}`,
    ]) {
      await page.goto(`${baseUrl}/#/${view}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      if (view === 'devices')
        await page
          .getByText(/^<img src=x.*⟨202E⟩x/)
          .first()
          .waitFor();
      assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 390, view);
      assert.deepEqual(await findBarriers(page), [], view);
    }
    assert.equal(await page.locator('img').count(), 0);
    assert.doesNotMatch(await page.title(), /owned/);
    assert.deepEqual(errors, []);
  });
});
