import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { browserFolder, type ImportRule, importRules, leaves } from '../../tools/house/import-rules.ts';
import { floors, listImports, readSources, resolveImport, type SourceFile } from './support/source-file.ts';

describe('imports', () => {
  const sources = readSources(...floors);
  const alone = new Set(sources.filter(importsNothing).map(({ path }) => path));

  it('are found at all', () => {
    assert.ok(sources.length > 50);
    assert.ok(sources.flatMap(listImports).length > 100);
  });

  it('point in one direction, through doors', () => {
    const offenders = sources.flatMap((file) =>
      listImports(file)
        .filter((specifier) => !isAllowed(file, specifier, alone))
        .map((specifier) => `${file.path} imports ${specifier}`),
    );
    assert.deepEqual(offenders, []);
  });

  it('of authoring come from commands only', () => {
    const offenders = sources.filter(
      (file) =>
        /^(src|plugins)\//.test(file.path) &&
        listImports(file).some((specifier) => resolveImport(file, specifier)?.startsWith('authoring/')),
    );
    assert.deepEqual(
      offenders.map(({ path }) => path),
      [],
    );
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

function isAllowed(file: SourceFile, specifier: string, alone: ReadonlySet<string>): boolean {
  const target = resolveImport(file, specifier);
  if (target === undefined) return !specifier.startsWith('waywiser');
  if (leaves.has(file.path)) return false;
  const rule = importRules
    .filter(({ path }) => file.path.startsWith(path))
    .sort((a, b) => b.path.length - a.path.length)[0];
  assert.ok(rule !== undefined, `${file.path} belongs to no part of the house`);
  // What runs in the browser and what runs in the collector do not import each other.
  const isBrowser = rule.path === browserFolder;
  if (target.startsWith(browserFolder)) return isBrowser;
  if (target.startsWith(homeOf(file.path, rule.path)) && !isBrowser) return true;
  if (leaves.has(target) && !isBrowser) return true;
  if (rule.mayImportLeaves === true && target.startsWith('src/') && alone.has(target)) return true;
  return patternsOf(rule).some((pattern) => matches(pattern, target));
}

function patternsOf({ as, mayImport }: ImportRule): string[] {
  const other = importRules.find(({ path }) => path === as);
  return [...(other === undefined ? [] : patternsOf(other)), ...mayImport];
}

/** A folder of plugins is not a home: each plugin is one. */
function homeOf(path: string, rulePath: string): string {
  if (!rulePath.startsWith('plugins/')) return rulePath;
  const [root, first, second] = path.split('/');
  return first === 'outputs' ? `${root}/${first}/${second}/` : `${root}/${first}/`;
}

function matches(pattern: string, target: string): boolean {
  if (pattern.endsWith('/')) return target.startsWith(pattern);
  // No plugin imports an output: what outputs share is in the kit.
  const escaped = pattern.replaceAll('.', '\\.').replace('*', '(?!outputs/)[^/]+');
  return new RegExp(`^${escaped}$`).test(target);
}

/** Whether a file loads nothing of the project. Types are gone when it runs. */
function importsNothing({ code }: SourceFile): boolean {
  const imports = [
    ...code.matchAll(/^(?:import|export)\s+(type\s+)?(?:(\{[^}]*\}|[^'";{]*)\s*from\s*)?'\.[^']*';/gm),
  ];
  return imports.every(
    ([, type, names = '']) =>
      type !== undefined ||
      (names.startsWith('{') &&
        names
          .slice(1, -1)
          .split(',')
          .filter((name) => name.trim() !== '')
          .every((name) => name.trim().startsWith('type '))),
  );
}

function isOfExample(file: SourceFile, specifier: string): boolean {
  const target = resolveImport(file, specifier);
  return target === undefined || target.startsWith(file.path.split('/').slice(0, 2).join('/'));
}
