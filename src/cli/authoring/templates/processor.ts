import { type PackageTemplate, writeReadme } from './package-template.ts';

/** A processor that adds a tag. */
export const processorTemplate: PackageTemplate = (name) => ({
  'README.md': writeReadme(
    name,
    'A processor for Waywiser: adds a tag to every record.',
    `  ${name}: { tag: site, value: berlin }`,
  ),
  'index.js': `// @ts-check
import { defineProcessor, Type } from 'waywiser';

export default defineProcessor({
  name: '${name}',
  summary: 'Adds a tag to every record.',
  options: Type.Object({
    tag: Type.String({ description: 'the name of the tag' }),
    value: Type.String({ description: 'what it says' }),
  }),
  open: ({ options }) => {
    const added = Object.freeze({ [options.tag]: options.value });
    // A batch is shared with others: answer with a new one that shares its columns.
    return (batch) => ({ ...batch, tags: { ...batch.tags, ...added } });
  },
});
`,
  'index.test.js': `import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pipelineToken } from 'waywiser';
import { checkPlugin, createRecordingOutput, createTestBatch, startTestCollector } from 'waywiser/testing';
import plugin from './index.js';

const options = { tag: 'site', value: 'berlin' };

it('keeps the contract of a plugin', async () => {
  await checkPlugin(plugin, { options });
});

it('adds the tag and keeps the columns', async () => {
  const output = createRecordingOutput();
  const collector = await startTestCollector({ plugins: [{ plugin, options }, { plugin: output.plugin }] });
  const batch = createTestBatch({ rows: [1, 2].map((load) => ({ values: { load } })) });
  collector.getService(pipelineToken).push(batch);
  await output.waitFor((batches) => batches.length === 1);
  await collector.stop();

  assert.equal(output.batches[0].tags.site, 'berlin');
  assert.equal(output.batches[0].columns, batch.columns);
});
`,
});
