import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { copyPackage, installOurselves, runPackageTests } from '../support/package-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const packages = readdirSync('examples').filter((name) => existsSync(join('examples', name, 'package.json')));

/** Programs that use a library of Waywiser. A collector loads the others. */
const programs = ['api-client', 'embedded-collector', 'mib-names', 'snmp-walk'];

describe('the packages among the examples', () => {
  for (const name of packages) {
    // test/package compiles it against the packed package.
    const isTypeScript = existsSync(join('examples', name, 'tsconfig.json'));
    it(`${name} passes its own tests`, {
      skip: isTypeScript && 'test/package/installed.test.ts runs them',
    }, async (t) => {
      const folder = temporaryFolder(t);
      copyPackage(name, folder);
      installOurselves(folder);
      const printed = await runPackageTests(folder);
      assert.match(printed, /^(#|ℹ) fail 0$/m);
      assert.doesNotMatch(printed, /^(#|ℹ) pass 0$/m);
    });

    it(`${name} explains in its README how to install, test and configure it`, () => {
      const readme = readFileSync(join('examples', name, 'README.md'), 'utf8');
      assert.match(readme, /^npm install && npm test$/m);
      assert.match(readme, programs.includes(name) ? /^\$ node index\.js \S+/m : /^plugins:$/m);
      const manifest = JSON.parse(readFileSync(join('examples', name, 'package.json'), 'utf8'));
      assert.equal(manifest.name, name);
    });
  }
});
