import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { CollectorProcess } from '../cli/support/collector-process.ts';
import { findBarriers, missingBrowser, useBrowser } from '../plugins/web-page/support/browser.ts';
import { onlyLong } from '../support/long-run.ts';
import { copyDemonstration } from './support/example-copy.ts';

const phoneWidth = 390;
const looks: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { viewport: { width: phoneWidth, height: 844 } },
};
const tabs = ['overview', 'interfaces', 'sensors', 'neighbours', 'values', 'polling', 'events'];
const places = [
  ...['fleet', 'devices', 'definitions', 'events', 'traps?tab=all', 'traps?tab=senders', 'plugins'],
  ...tabs.map((tab) => `device/switch-1?tab=${tab}`),
  ...['host-1', 'ups-1', 'printer-2'].map((name) => `device/${name}`),
];

async function show(page: Page, base: string, place: string): Promise<void> {
  await page.goto(`${base}/#/${place}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  for (const text of await page.getByText(/^Loading/).all()) await text.waitFor({ state: 'detached' });
}

describe('the page in the first minute of the demonstration', { skip: missingBrowser || onlyLong }, () => {
  const open = useBrowser();

  it('shows graphs with a past at once, and every view in each look without a barrier or an error', async (t) => {
    const collector = new CollectorProcess(t);
    const base = `http://127.0.0.1:${await copyDemonstration(collector)}`;
    collector.run(['start'], { NODE_V8_COVERAGE: '' });
    await collector.reads('The collector is ready.');
    while (!collector.stdout.includes('in a browser')) await once(collector.output, 'data');
    const first = await open('about:blank');
    const graphs: number[] = [];
    first.page.on('response', async (response) => {
      if (!response.url().includes('/api/v1/history?') || !response.url().includes('in_rate')) return;
      const { series } = (await response.json()) as { series: { values: (number | null)[] }[] };
      for (const { values } of series) graphs.push(values.filter((value) => value !== null).length);
    });
    await show(first.page, base, 'fleet');
    await first.page.keyboard.press('/');
    await first.page.getByRole('combobox').fill('switch-1');
    await first.page.getByRole('option', { name: /^switch-1/ }).waitFor();
    await first.page.keyboard.press('Enter');
    await first.page.getByRole('figure').filter({ hasText: 'Mbit/s' }).first().waitFor();
    assert.ok(Math.max(...graphs) >= 60, `graphs have ${graphs.join()} values`);
    await show(first.page, base, 'device/switch-1?tab=interfaces');
    await first.page.locator('.states-cell svg').first().waitFor();
    await show(first.page, base, 'device/switch-1?tab=polling');
    await first.page.getByRole('heading', { name: 'Learned sizes and quirks' }).waitFor();
    assert.deepEqual(first.errors, []);
    for (const [look, options] of Object.entries(looks)) {
      const { page, errors } = await open('about:blank', options);
      for (const place of places) {
        await show(page, base, place);
        assert.deepEqual(await findBarriers(page), [], `${look} ${place}`);
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        assert.ok(look !== 'phone' || width <= phoneWidth, `${place} is ${width} pixels wide`);
      }
      assert.deepEqual(errors, [], look);
    }
  });

  it('shows the devices of all workers, and the workers', async (t) => {
    const collector = new CollectorProcess(t);
    const base = `http://127.0.0.1:${await copyDemonstration(collector)}`;
    collector.run(['start', '--workers', '2'], { NODE_V8_COVERAGE: '' });
    await collector.reads('The collector is ready.');
    while (!collector.stdout.includes('in a browser')) await once(collector.output, 'data');
    const { page, errors } = await open('about:blank');
    await show(page, base, 'fleet');
    await page.getByRole('link', { name: /^1[01] up$/ }).waitFor();
    await page.getByRole('link', { name: 'Workers' }).click();
    await page.getByRole('heading', { level: 1, name: 'Workers' }).waitFor();
    for (const worker of ['parent', 'worker-1', 'worker-2'])
      await page.getByRole('cell', { name: worker }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    assert.deepEqual(errors, []);
  });
});
