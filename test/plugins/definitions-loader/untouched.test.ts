import { equal } from 'node:assert/strict';
import { it } from 'node:test';
import loader from '../../../plugins/definitions-loader/index.ts';
import { definitionsToken } from '../../../plugins/definitions-loader/service.ts';
import { startTestCollector } from '../../../src/testing/index.ts';
import { documentSets } from './broken/document-sets.ts';
import { missingKeys, wrongHolders } from './broken/generated-sets.ts';
import { schemaSets } from './broken/schema-sets.ts';
import { wholeSets } from './broken/whole-sets.ts';
import { baseSet } from './support/base-set.ts';
import { DefinitionDirectory } from './support/definition-directory.ts';

const broken = [
  ...missingKeys(),
  ...wrongHolders(),
  ...schemaSets(),
  ...documentSets(),
  ...wholeSets(),
].filter(({ expected }) => expected.level === 'error');

it('broken definitions never replace or change the running definitions', { timeout: 120_000 }, async () => {
  using directory = new DefinitionDirectory(baseSet);
  const options = { shipped: false, directories: [directory.path] };
  const collector = await startTestCollector({ plugins: [{ plugin: loader, options }] });
  const definitions = collector.getService(definitionsToken);
  const running = definitions.current;
  for (const { title, files, expected } of broken) {
    directory.write({ [expected.file]: files[expected.file] ?? '' });
    const result = await definitions.apply({ requestedBy: 'test' });
    equal(result.accepted, false, title);
    equal(definitions.current, running, title);
    directory.write({ [expected.file]: baseSet[expected.file] ?? '' });
  }
  const result = await definitions.apply({ requestedBy: 'test' });
  equal(result.accepted && result.changed, false);
  await collector.stop();
});
