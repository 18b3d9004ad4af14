import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { argv, execPath } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';

/** Takes the pictures of docs/pictures from a demonstration: one that runs at the address given, or one that is started and stopped here. */
const [, , given] = argv;
const address = given ?? 'http://127.0.0.1:8080/';
const maxBytes = 200_000;
const desk = { width: 1280, height: 720 };
const phone = { width: 390, height: 780 };

const pictures = [
  { name: 'page-fleet', place: '#/fleet', viewport: desk, colorScheme: 'light' },
  { name: 'page-device', place: '#/device/switch-1', viewport: desk, colorScheme: 'light' },
  { name: 'page-devices-dark', place: '#/devices', viewport: desk, colorScheme: 'dark' },
  { name: 'page-phone', place: '#/device/switch-1', viewport: phone, colorScheme: 'light' },
] as const;

const words = ['dist/cli/main.js', 'start', '--config', 'examples/demo/waywiser.yml'];
const demonstration = given === undefined ? spawn(execPath, words, { stdio: 'ignore' }) : undefined;
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  await untilPolled();
  for (const { name, place, ...context } of pictures) {
    const page = await browser.newPage({ ...context, timezoneId: 'UTC', locale: 'en-GB' });
    await page.goto(address + place);
    await take(page, `docs/pictures/${name}.png`);
    await page.close();
  }
} finally {
  await browser.close();
  demonstration?.kill();
}

/** The lines of the fleet view need some polls; graphs have a past. */
async function untilPolled(): Promise<void> {
  for (let tries = 0; tries < 120; tries++, await delay(1000)) {
    const answer = await fetch(new URL('readyz', address)).catch(() => undefined);
    if (answer?.ok !== true) continue;
    if (given === undefined) await delay(60_000);
    return;
  }
  throw new Error(`No demonstration answers at ${address}.`);
}

async function take(page: Page, path: string): Promise<void> {
  await page.getByRole('heading').first().waitFor();
  // The tiles of the fleet view have lines of what happened since the page was opened.
  await delay(40_000);
  await page.screenshot({ path });
  const { size } = statSync(path);
  if (size > maxBytes) throw new Error(`${path} has ${size} bytes, more than ${maxBytes}.`);
}
