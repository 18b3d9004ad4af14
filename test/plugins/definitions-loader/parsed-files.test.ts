import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DefinitionReader } from '../../../plugins/definitions-loader/reading/definition-reader.ts';
import { contentKey, ParsedFiles } from '../../../plugins/definitions-loader/reading/parsed-files.ts';
import { parseYaml, scalarsOf, shippedDefinitions } from '../../../src/internal.ts';

/** The path of a file that ships. */
const shipped = join(realpathSync(shippedDefinitions()), 'any.yml');

describe('what the build wrote down of the definitions that ship', () => {
  it('is what the parser reads of each file, with the same places', () => {
    const { files } = new DefinitionReader().read({ shipped: shippedDefinitions(), directories: [] });
    assert.ok(files.length > 500, `${files.length} files`);
    const written = new ParsedFiles();
    for (const { name, content } of files) {
      const { kind, text } = content;
      const found = written.find(shipped, contentKey(kind, Buffer.from(text)), text);
      assert.ok(found, `${name} is missing. Run npm run build.`);
      const parsed = parseYaml(text, scalarsOf(kind));
      assert.deepEqual(found.value, parsed.value, name);
      const keys = [...parsed.keys()];
      assert.deepEqual([...found.keys()], keys, name);
      assert.deepEqual(keys.map(found.keyOffset), keys.map(parsed.keyOffset), name);
      const [first = ''] = keys;
      assert.deepEqual(found.entryAt(first), parsed.entryAt(first), name);
    }
  });

  it('is not used for a file elsewhere, with other content, or of another kind', () => {
    const { files } = new DefinitionReader().read({ shipped: shippedDefinitions(), directories: [] });
    const { kind, text } = files.find(({ content }) => content.kind === 'objects')!.content;
    const written = new ParsedFiles();
    const key = contentKey(kind, Buffer.from(text));
    assert.ok(written.find(shipped, key, text));
    assert.equal(written.find('/elsewhere/file.yml', key, text), undefined);
    assert.equal(written.find(shipped, contentKey(kind, Buffer.from(`${text}\n`)), text), undefined);
    assert.equal(written.find(shipped, contentKey('objectGroups', Buffer.from(text)), text), undefined);
  });
});
