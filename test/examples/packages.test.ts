import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const packages = readdirSync('examples').filter((name) => existsSync(join('examples', name, 'package.json')));

/** Programs that use a library of Waywiser. A collector loads the others. */
const programs = ['api-client', 'embedded-collector', 'mib-names', 'snmp-walk'];

/** test/package/installed.test.ts runs the tests of all of them, against the packed package. */
describe('the packages among the examples', () => {
  for (const name of packages) {
    it(`${name} explains in its README how to install, test and configure it`, () => {
      const readme = readFileSync(join('examples', name, 'README.md'), 'utf8');
      assert.match(readme, /^npm install && npm test$/m);
      assert.match(readme, programs.includes(name) ? /^\$ node index\.js \S+/m : /^plugins:$/m);
      const manifest = JSON.parse(readFileSync(join('examples', name, 'package.json'), 'utf8'));
      assert.equal(manifest.name, name);
    });
  }
});
