import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readChosen } from '../../cli/choose-set.ts';
import { writeFolder } from '../kernel/support/scratch-folder.ts';
import { readPages } from './support/page.ts';

const intervals = { 'defaults/object_types.yml': 'dynamic: { poll_interval: 60 }\n' };

it('the definitions in docs/definitions.md have no errors', async (t) => {
  process.env['COMMUNITY'] = 'public';
  t.after(() => delete process.env['COMMUNITY']);
  const page = readPages().find(({ path }) => path === 'docs/definitions.md');
  const { text = '' } = page?.blocks.find(({ language }) => language === 'yaml') ?? {};
  const files = text.split(/^(?=# \S+\/\S+\.yml)/m).map((part) => [/^# ([^\s:]+)/.exec(part)?.[1], part]);
  const directory = writeFolder({ ...intervals, ...Object.fromEntries(files) });
  const { problems, counts } = await readChosen({ directory });
  assert.deepEqual(problems, []);
  assert.deepEqual([counts.devices, counts.objects, counts.enums], [1, 1, 1]);
});
