import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { checkout } from './support/packed-package.ts';

const require = createRequire(import.meta.url);
const { subset, validRange } = require('semver') as {
  subset(inner: string, outer: string): boolean;
  validRange(range: string): string | null;
};

interface Entry {
  readonly version: string;
  readonly dev?: boolean;
  readonly peer?: boolean;
  readonly engines?: { readonly node?: string };
}

const manifest = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
const { packages } = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Entry>>;
};
/** The version lines that docs/upgrade.md names, from the declared floor on. */
const supported = `${manifest.engines.node} <21 || >=22 <23 || >=24 <25 || >=26`;

describe('the engines of the packages that users install', () => {
  it('allow every supported Node.js', () => {
    const installed = Object.entries(packages).filter(
      ([path, { dev, peer }]) => path !== '' && !dev && !peer,
    );
    assert.ok(installed.length > 20);
    const refusing = installed
      .filter(([, { engines }]) => engines?.node !== undefined && validRange(engines.node) !== null)
      .filter(([, { engines }]) => !subset(supported, engines!.node!))
      .map(([path, { version, engines }]) => `${path} ${version}: ${engines!.node}`);
    assert.deepEqual(refusing, []);
  });

  it('do not depend on overrides, which reach this checkout only', () => {
    for (const name of ['overrides', 'resolutions', 'pnpm']) assert.equal(manifest[name], undefined, name);
  });
});
