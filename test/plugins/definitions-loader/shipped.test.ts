import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { definitionsToken, type Generation } from '../../../plugins/definitions-loader/service.ts';
import { shippedDefinitions } from '../../../src/own-package.ts';
import { startTestCollector } from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { inlineLoader } from '../support/inline-loader.ts';

/** The running definitions of a configuration in a folder with the given files. */
async function load(
  t: TestContext,
  options: object,
  files: Readonly<Record<string, string>> = {},
): Promise<Generation> {
  const folder = temporaryFolder(t);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const collector = await startTestCollector({
    plugins: [{ plugin: inlineLoader, options }],
    stateDirectory: folder,
  });
  t.after(() => collector.stop());
  return collector.getService(definitionsToken).current;
}

const group = 'standard: { object_groups: [interfaces] }\n';

describe('the definitions that ship', () => {
  it('are used without any option, and without a directory of definitions', async (t) => {
    const { facts } = await load(t, {});
    ok(facts.counts.objects > 200);
    deepEqual(facts.warnings, []);
  });

  it('name the MIB column of every index label', async (t) => {
    const { objects } = (await load(t, {})).sections;
    const unnamed = [...objects.values()].flatMap(({ id, index }) =>
      index
        .filter(({ field, mibName }) => field !== undefined && mibName === undefined)
        .map(({ field }) => `${id} ${field}`),
    );
    deepEqual(unnamed, []);
  });

  it('stay beside those of ./definitions, which replace a shipped one with the same id', async (t) => {
    const current = await load(t, {}, { 'definitions/device_groups/mine.yml': group });
    ok(!current.getDeviceGroup('standard').definition.objects.includes('SNMPv2-MIB::system'));
    match(current.getDeviceGroup('standard').origin.file, /^device_groups\/mine\.yml$/);
    match(current.getObject('IF-MIB::ifEntry').origin.file, /^shipped\/objects\/interfaces\//);
  });

  it('are left out with shipped: false', async (t) => {
    equal((await load(t, { shipped: false })).facts.counts.objects, 0);
  });

  it('are read once when a directory of the list is the shipped one', async (t) => {
    const current = await load(t, { directories: [shippedDefinitions()] });
    match(current.getObject('IF-MIB::ifEntry').origin.file, /^objects\/interfaces\//);
  });

  it('do not excuse a directory that is named and missing', async (t) => {
    await rejects(load(t, { directories: ['./definitions'] }), { code: 'PLUGIN_START_FAILED' });
  });
});
