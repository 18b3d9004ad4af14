import { after, before } from 'node:test';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { missingTool } from '../../../support/needs.ts';

/** Why tests with a browser are skipped; with CI=true they fail instead. */
export const missingBrowser = missingTool('chromium');

const executablePath = '/usr/bin/chromium';
export const plainHost = 'collector.example';
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A host over plain HTTP, where browsers offer less than on loopback.
  `--host-resolver-rules=MAP ${plainHost} 127.0.0.1`,
];

export interface OpenedPage {
  readonly page: Page;
  /** What the browser's console reported as an error, and exceptions of the page. */
  readonly errors: string[];
}

/** One browser for all tests of a file. Each page that it opens has cookies and storage of its own. */
export function useBrowser(): (url: string, options?: BrowserContextOptions) => Promise<OpenedPage> {
  let browser: Browser | undefined;
  before(async () => {
    if (missingBrowser === false) browser = await chromium.launch({ executablePath, args });
  });
  after(() => browser?.close());
  return async (url, options = {}) => {
    const context = await browser!.newContext({ reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => void errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`);
    });
    await page.goto(url);
    return { page, errors };
  };
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

/** The serious and critical findings of axe-core on a page, each as its rule and where. */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResult;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}
