/** A part of the house, and what its files may import beside each other. The longest path that a file's path begins with decides. */
export interface ImportRule {
  readonly path: string;
  readonly what: string;
  /** The path of another part: all that this one may import, too. */
  readonly as?: string;
  /** Files, folders with all that is in them (they end with a slash), or files of many folders (with an asterisk). */
  readonly mayImport: readonly string[];
  /** Also other files of src that import nothing: a command that needs one function then loads one file. */
  readonly mayImportLeaves?: true;
}

export const browserFolder = 'plugins/web-page/browser/';

/** Files that import nothing, for everyone. */
export const leaves: ReadonlyMap<string, string> = new Map([
  ['src/natural-order.ts', 'names in the order that people expect'],
  ['src/nearest-name.ts', 'what a misspelt name probably means'],
  ['src/own-package.ts', 'where the package is, and its version'],
  ['src/shared-class.ts', 'classes that are the same in two copies of the package'],
  ['src/typebox.ts', 'the only door to TypeBox'],
]);

const doorsForPlugins = [
  'client',
  'connection',
  'definitions',
  'http',
  'kernel',
  'model',
  'pipeline',
  'sharding',
  'snmp',
  'storage',
  'timing',
].map((room) => `src/${room}/index.ts`);
/** Published doors stay small: what else the product needs of these rooms has a door of its own. */
const innerDoors = 'src/*/internal.ts';

/** From the ground up: arrows go down only. */
export const importRules: readonly ImportRule[] = [
  { path: 'src/timing/', what: 'clocks, timers, paces, slices, histograms', mayImport: [] },
  {
    path: 'src/model/',
    what: 'the shared types, schemas and pure functions',
    mayImport: [],
  },
  {
    path: 'src/snmp/',
    what: 'the SNMP manager, a library of its own: `waywiser/snmp`',
    mayImport: ['src/model/address-range.ts', 'src/model/oid.ts', 'src/model/v3-protocols.ts', 'src/timing/'],
  },
  {
    path: 'src/kernel/',
    what: 'loads plugins, starts and stops them; independent of SNMP',
    mayImport: ['src/model/event-map.ts'],
  },
  { path: 'src/storage/', what: 'files that survive a crash', mayImport: ['src/kernel/'] },
  {
    path: 'src/http/',
    what: 'what the authors of routes need',
    mayImport: ['src/kernel/errors.ts', 'src/model/'],
  },
  {
    path: 'src/client/',
    what: 'the HTTP API for programs: `waywiser/client`',
    mayImport: ['src/kernel/errors.ts', 'src/model/event-map.ts'],
  },
  {
    path: 'src/connection/',
    what: 'reaching servers, and listening: failures in words, the files of TLS',
    mayImport: ['src/kernel/', 'src/timing/'],
  },
  {
    path: 'src/sharding/',
    what: 'which member of a cluster, or which worker, asks a device',
    mayImport: ['src/kernel/', 'src/model/', 'src/timing/'],
  },
  {
    path: 'src/pipeline/',
    what: 'carries batches from sources to outputs',
    mayImport: ['src/kernel/', 'src/model/', 'src/storage/', 'src/timing/'],
  },
  {
    path: 'src/output-kit/',
    what: 'parts that outputs are made of: `waywiser/output-kit`',
    mayImport: ['src/connection/', 'src/kernel/', 'src/model/', 'src/pipeline/', 'src/timing/'],
  },
  {
    path: 'src/definitions/',
    what: 'the compiler of definition files: YAML, checks, compiled form, value syntaxes',
    mayImport: ['src/kernel/', 'src/model/'],
  },
  {
    path: 'src/collector/',
    what: 'turns a configuration into a collector: `createCollector`',
    mayImport: ['src/kernel/', 'src/pipeline/', 'src/sharding/', 'src/storage/'],
  },
  { path: 'src/index.ts', what: 'what plugin authors need: `waywiser`', mayImport: ['src/'] },
  { path: 'src/testing/', what: 'what plugin authors test with: `waywiser/testing`', mayImport: ['src/'] },
  {
    path: 'plugins/',
    what: 'the built-in plugins, one folder each',
    mayImport: ['src/index.ts', 'plugins/*/service.ts', innerDoors, ...doorsForPlugins],
  },
  {
    path: 'plugins/outputs/',
    what: 'outputs; none imports another one',
    as: 'plugins/',
    mayImport: ['src/output-kit/index.ts'],
  },
  {
    path: 'plugins/history/',
    what: 'reads what outputs have written, under their names',
    as: 'plugins/',
    mayImport: ['src/output-kit/index.ts'],
  },
  {
    path: 'plugins/snmp-exporter/',
    what: 'writes the text that an output serves',
    as: 'plugins/',
    mayImport: ['src/output-kit/index.ts'],
  },
  {
    path: browserFolder,
    what: 'runs in browsers: of the collector it knows the client alone',
    mayImport: ['src/client/index.ts'],
  },
  {
    path: 'authoring/mib/',
    what: 'the compiler of MIB files: `waywiser/mib`; it knows nothing of the collector',
    mayImport: [],
  },
  {
    path: 'authoring/drafts/',
    what: 'definitions that a program proposes',
    mayImport: ['authoring/mib/', 'src/*/index.ts'],
    mayImportLeaves: true,
  },
  {
    path: 'authoring/import/',
    what: 'translates the configuration of other collectors',
    mayImport: ['authoring/drafts/', 'src/*/index.ts'],
    mayImportLeaves: true,
  },
  {
    path: 'cli/',
    what: 'the program: every command',
    mayImport: [
      'authoring/*/index.ts',
      'plugins/*/commands.ts',
      'plugins/*/service.ts',
      'src/index.ts',
      'src/*/index.ts',
      innerDoors,
      // Both are loaded by every start of the program, and little else is.
      'src/kernel/errors.ts',
      'src/kernel/secrets.ts',
    ],
    mayImportLeaves: true,
  },
];
