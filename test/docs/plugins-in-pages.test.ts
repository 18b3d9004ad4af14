import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { register } from 'tsx/esm/api';
import { checkPlugin } from '../../src/testing/index.ts';
import { installOurselves } from '../support/package-folder.ts';
import { readPages } from './support/page.ts';

/** What a plugin of a page needs to start, by its name. */
const startedWith: Readonly<Record<string, Parameters<typeof checkPlugin>[1]>> = {
  greeting: { needs: { routes: { add() {} } } },
  lamp: { needs: { routes: { add() {} } } },
  'rows-api': { options: { url: 'http://127.0.0.1:9' } },
  'row-log': { options: { file: './rows.log' } },
  'without-record': { options: { record: 'IF-MIB::ifEntry' } },
};
const blocks = readPages().flatMap(({ path, blocks }) =>
  blocks
    .filter(({ language, text }) => /^[jt]s$/.test(language) && text.includes('export default define'))
    .map((block) => ({ ...block, at: `${path}:${block.line}` })),
);

describe('every plugin in the documentation', () => {
  let folder: string;
  let forgetTypeScript: () => Promise<void>;
  before(() => {
    forgetTypeScript = register();
    folder = mkdtempSync(join(tmpdir(), 'waywiser-pages-'));
    installOurselves(folder);
  });
  after(async () => {
    await forgetTypeScript();
    rmSync(folder, { recursive: true, force: true });
  });

  blocks.forEach(({ at, language, text }, i) => {
    it(`fulfils the contract: ${at}`, async () => {
      const file = join(folder, `${i}.${language === 'js' ? 'mjs' : 'mts'}`);
      writeFileSync(file, text);
      const { default: plugin } = await import(pathToFileURL(file).href);
      await checkPlugin(plugin, startedWith[plugin.name] ?? {});
    });
  });

  it('is tested: at least four are found', () => assert.ok(blocks.length >= 4));
});
