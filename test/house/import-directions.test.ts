import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { floors, listImports, readSources, resolveImport, type SourceFile } from './support/source-file.ts';

const browser = 'plugins/web-page/browser/';

/** What a layer may import beside itself; the longest matching prefix of a file's path decides. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'src/nearest-name.ts': [],
  'src/typebox.ts': [],
  'src/shared-class.ts': [],
  'src/timing/': [],
  // A compiler of its own: it knows nothing of the collector. Like all of authoring/, only commands use it.
  'authoring/mib/': [],
  'src/model/': ['src/typebox.ts', 'src/nearest-name.ts'],
  'src/snmp/': [
    'src/model/address-range.ts',
    'src/model/oid.ts',
    'src/model/v3-protocols.ts',
    'src/timing/',
    'src/shared-class.ts',
  ],
  'src/kernel/': ['src/model/event-map.ts', 'src/typebox.ts', 'src/nearest-name.ts', 'src/shared-class.ts'],
  // What the authors of routes need.
  'src/http/': [
    'src/kernel/errors.ts',
    'src/model/',
    'src/typebox.ts',
    'src/nearest-name.ts',
    'src/shared-class.ts',
  ],
  'src/client/': ['src/kernel/errors.ts', 'src/model/event-map.ts'],
  'src/sharding/': ['src/kernel/', 'src/model/', 'src/timing/', 'src/typebox.ts'],
  // The disk queue keeps batches in a record log.
  'src/pipeline/': ['src/kernel/', 'src/model/', 'src/storage/', 'src/timing/', 'src/typebox.ts'],
  // What outputs are built on; the pipeline must not know it.
  'src/output-kit/': ['src/kernel/', 'src/model/', 'src/pipeline/', 'src/timing/', 'src/typebox.ts'],
  'src/storage/': ['src/kernel/'],
  'src/definitions/': ['src/kernel/', 'src/model/', 'src/typebox.ts', 'src/nearest-name.ts'],
  'authoring/drafts/': ['src/definitions/', 'src/kernel/', 'src/model/'],
  'authoring/drafts/from-mib/': [
    'src/definitions/',
    'authoring/drafts/',
    'src/kernel/',
    'authoring/mib/',
    'src/model/',
  ],
  'authoring/import/': ['src/definitions/', 'authoring/drafts/', 'src/kernel/', 'src/model/'],
  'src/collector/': [
    'src/kernel/',
    'src/pipeline/',
    'src/sharding/',
    'src/storage/',
    'src/typebox.ts',
    'src/nearest-name.ts',
  ],
  'src/index.ts': ['src/'],
  'src/internal.ts': ['src/'],
  'src/testing/': ['src/'],
  'cli/': ['authoring/', 'plugins/', 'src/'],
  'plugins/': ['src/index.ts', 'src/internal.ts', 'src/snmp/index.ts'],
  // It runs in browsers: of the collector it knows the client alone.
  [browser]: ['src/client/index.ts'],
  // It writes the text that an output serves.
  'plugins/snmp-exporter/': ['src/index.ts', 'src/internal.ts', 'src/output-kit/index.ts'],
  // It reads what outputs have written, under their names.
  'plugins/history/': ['src/index.ts', 'src/internal.ts', 'src/output-kit/index.ts'],
  'plugins/outputs/': ['src/index.ts', 'src/internal.ts', 'src/output-kit/index.ts'],
};

describe('imports', () => {
  const sources = readSources(...floors);

  it('are found at all', () => {
    assert.ok(sources.length > 50);
    assert.ok(sources.flatMap(listImports).length > 100);
  });

  it('point in one direction', () => {
    const offenders = sources.flatMap((file) =>
      listImports(file)
        .filter((specifier) => !isAllowed(file, specifier))
        .map((specifier) => `${file.path} imports ${specifier}`),
    );
    assert.deepEqual(offenders, []);
  });

  it('of examples go through the published package', () => {
    const examples = readSources('examples');
    assert.ok(examples.flatMap(listImports).includes('waywiser'));
    const offenders = examples.flatMap((file) =>
      listImports(file)
        .filter((specifier) => !isOfExample(file, specifier))
        .map((specifier) => `${file.path} imports ${specifier}`),
    );
    assert.deepEqual(offenders, []);
  });

  it('of TypeBox, net-snmp and net-snmp types have one door each', () => {
    const importers = (name: string, files: readonly SourceFile[]) =>
      files
        .filter((file) => listImports(file).some((each) => each === name || each.startsWith(`${name}/`)))
        .map(({ path }) => path);
    assert.deepEqual(importers('@sinclair/typebox', sources), ['src/typebox.ts']);
    assert.ok(importers('net-snmp', sources).length <= 1, importers('net-snmp', sources).join(', '));
  });
});

function isAllowed(file: SourceFile, specifier: string): boolean {
  const target = resolveImport(file, specifier);
  if (target === undefined) return !specifier.startsWith('waywiser');
  const layer = Object.keys(mayImport)
    .filter((prefix) => file.path.startsWith(prefix))
    .sort((a, b) => b.length - a.length)[0];
  assert.ok(layer !== undefined, `${file.path} belongs to no layer`);
  // What runs in the browser and what runs in the collector do not import each other.
  if (layer === browser || target.startsWith(browser)) {
    return layer === browser && [browser, ...mayImport[browser]!].some((prefix) => target.startsWith(prefix));
  }
  if (layer.startsWith('plugins/')) {
    if (target.startsWith(pluginFolder(file.path))) return true;
    // No plugin imports an output: what outputs share is in the kit.
    if (/^plugins\/(?!outputs\/).*\/service\.ts$/.test(target)) return true;
  } else if (target.startsWith(layer)) return true;
  return mayImport[layer]!.some(
    (prefix) => target === prefix || (prefix.endsWith('/') && target.startsWith(prefix)),
  );
}

/** `plugins/name/` or `plugins/group/name/`, for groups of plugins such as outputs. */
function pluginFolder(path: string): string {
  const [root, first, second] = path.split('/');
  return first === 'outputs' ? `${root}/${first}/${second}/` : `${root}/${first}/`;
}

function isOfExample(file: SourceFile, specifier: string): boolean {
  const target = resolveImport(file, specifier);
  return target === undefined || target.startsWith(file.path.split('/').slice(0, 2).join('/'));
}
