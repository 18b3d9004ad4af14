import type { TestContext } from 'node:test';
import { stripVTControlCharacters } from 'node:util';

/** The text that `print` writes with console.log, without colours. */
export async function printed(test: TestContext, print: () => Promise<unknown>): Promise<string> {
  const log = test.mock.method(console, 'log', () => {});
  try {
    await print();
    return stripVTControlCharacters(log.mock.calls.map(({ arguments: [text] }) => String(text)).join('\n'));
  } finally {
    log.mock.restore();
  }
}
