import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { DefinitionReader } from '../../../plugins/definitions-loader/reading/definition-reader.ts';
import {
  contentKey,
  PreparedDefinitions,
} from '../../../plugins/definitions-loader/reading/prepared-definitions.ts';
import { ContentChecker, checkSet, type ReadFiles, shippedDefinitions } from '../../../src/internal.ts';
import { DefinitionDirectory } from './support/definition-directory.ts';

/** The path of a file that ships. */
const shipped = join(realpathSync(shippedDefinitions()), 'any.yml');
const noSecrets = { env: {}, directory: undefined };

describe('what the build wrote down of the definitions that ship', () => {
  let read: ReadFiles;
  before(() => {
    read = new DefinitionReader().read({ shipped: shippedDefinitions(), directories: [] });
  });

  it('is what each file is read and checked as', () => {
    assert.ok(read.files.length > 500, `${read.files.length} files`);
    const written = new PreparedDefinitions();
    const checker = new ContentChecker();
    for (const { name, content } of read.files) {
      const { kind, text } = content;
      const found = written.contentOf(shipped, kind, contentKey(kind, Buffer.from(text)), text);
      assert.ok(found, `${name} is missing. Run npm run build.`);
      assert.deepEqual(found, checker.check(kind, text).content, name);
    }
  });

  it('is what the objects, notifications and enums compile to', () => {
    assert.ok(read.compiledObjects, 'Nothing was taken from the build.');
    const { compiledObjects: _, ...files } = read;
    const [taken, compiled] = [checkSet(read, noSecrets), checkSet(files, noSecrets)];
    assert.deepEqual(taken.compiled, compiled.compiled);
    assert.deepEqual(taken.problems, compiled.problems);
    assert.ok(taken.compiled.objects.size > 2_000);
  });

  it('is not used for a file elsewhere, with other content, or of another kind', () => {
    const { kind, text } = read.files.find(({ content }) => content.kind === 'objects')!.content;
    const written = new PreparedDefinitions();
    const key = contentKey(kind, Buffer.from(text));
    const other = contentKey(kind, Buffer.from(`${text}\n`));
    assert.ok(written.contentOf(shipped, kind, key, text));
    assert.equal(written.contentOf('/elsewhere/file.yml', kind, key, text), undefined);
    assert.equal(written.contentOf(shipped, kind, other, text), undefined);
    assert.equal(
      written.contentOf(shipped, 'objectGroups', contentKey('objectGroups', Buffer.from(text)), text),
      undefined,
    );
  });

  const object = 'X::y:\n  attributes:\n    a: {oid: .1.3.6.1.4.1.32473.1, syntax: Gauge32, name: x.a}\n';
  const changes = {
    'an object of your own': { 'objects/own.yml': object },
    'an enum of your own': { 'enums/integer/own.yml': '.1.3.6.1.4.1.32473.2:\n  1: up\n' },
    'a name of an OID': { 'enums/oid/own.yml': '.1.3.6.1.4.1.32473.3: box\n' },
  };
  for (const [what, files] of Object.entries(changes)) {
    it(`is not used for objects beside ${what}`, () => {
      using directory = new DefinitionDirectory(files);
      const sources = { shipped: shippedDefinitions(), directories: [directory.path] };
      assert.equal(new DefinitionReader().read(sources).compiledObjects, undefined);
    });
  }

  it('is used beside groups and devices of your own, and stays the same value when they change', () => {
    using directory = new DefinitionDirectory({
      'devices/own.yml': 'a: {ip: 127.0.0.1, device_groups: [own]}\n',
      'device_groups/own.yml': 'own: {object_groups: [standard]}\n',
    });
    const sources = { shipped: shippedDefinitions(), directories: [directory.path] };
    const reader = new DefinitionReader();
    const { compiledObjects } = reader.read(sources);
    assert.ok(compiledObjects);
    directory.write({ 'devices/own.yml': 'b: {ip: 127.0.0.1, device_groups: [own]}\n' });
    assert.equal(reader.read(sources).compiledObjects, compiledObjects);
  });
});
