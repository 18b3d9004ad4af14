import { statSync } from 'node:fs';
import { join } from 'node:path';
import { writeDrafts } from '../../authoring/drafts/index.ts';
import type {
  ImportNote,
  ImportReport,
  ImportResult,
  KnownDefinitions,
  SourceFile,
} from '../../authoring/import/index.ts';
import {
  importFailure,
  knownIn,
  readYamlSource,
  type UnreadableSource,
} from '../../authoring/import/index.ts';
import type { CompiledDefinitions } from '../../src/definitions/index.ts';
import { shippedDefinitions } from '../../src/own-package.ts';
import { readChosen } from '../choose-set.ts';
import { listFiles } from '../listed-files.ts';
import { colours } from '../terminal/colours.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { counted } from '../terminal/plain-text.ts';

interface ImportOptions {
  readonly out: string;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly mibs?: readonly string[] | undefined;
}

/** `waywiser import FORMAT PATH --out DIR`. Exit code 1 when nothing could be imported, or a file could not be read. */
export async function importConfiguration(
  format: string,
  path: string,
  { out, force, json = false, mibs }: ImportOptions,
): Promise<number> {
  const importer = importers[format]!;
  const paths = listSources(path, importer.endings);
  const { sources, problems } = await readSources(paths, importer);
  const [first] = problems;
  if (sources.length === 0 && first !== undefined) throw importFailure('IMPORT_SYNTAX', { ...first });
  const { compiled } = await readChosen({ directory: shippedDefinitions() });
  const result = await importer.run(sources, compiled, mibs);
  if (result.set.objects.length === 0) {
    throw importFailure('IMPORT_EMPTY', { path, format, expected: importer.expected });
  }
  const intro = [`Imported by \`waywiser import ${format}\`. The unit "1" stands where the source has none.`];
  const written = writeDrafts(result.set, out, { intro, force });
  const summary = { ...summarize(result), unreadable: problems };
  console.log(
    json
      ? JSON.stringify({ ...summary, written }, undefined, 2)
      : formatSummary(summary, written.length, out),
  );
  return problems.length === 0 ? exitCodes.done : exitCodes.failed;
}

interface Importer {
  readonly endings: RegExp;
  /** What a usable path contains. */
  readonly expected: string;
  readonly read?: (path: string) => Promise<Read>;
  readonly run: (
    sources: readonly SourceFile[],
    shipped: CompiledDefinitions,
    mibs: readonly string[] | undefined,
  ) => Promise<ImportResult>;
}

type Read = ReturnType<typeof readYamlSource>;

const yaml = /\.ya?ml$/;

const importers: Readonly<Record<string, Importer>> = {
  'snmp-exporter': {
    endings: yaml,
    expected: 'a map `modules` whose entries have `metrics`, as the generator writes it',
    run: async (sources, { objectGroups }) =>
      (await import('../../authoring/import/index.ts')).importSnmpExporter(sources, (id) =>
        objectGroups.has(id),
      ),
  },
  datadog: profiles('datadog'),
  kentik: profiles('kentik'),
  telegraf: {
    endings: /\.(conf|toml)$/,
    expected:
      'tables [[inputs.snmp]] with fields that have numeric OIDs, or names and tables of the MIB files of --mibs',
    read: async (path) => (await import('../../authoring/import/index.ts')).readTomlSource(path),
    run: async (sources, shipped, mibs) =>
      (await import('../../authoring/import/index.ts')).importTelegraf(
        sources,
        await knownWith(shipped, mibs),
      ),
  },
};

function profiles(dialect: 'datadog' | 'kentik'): Importer {
  return {
    endings: yaml,
    expected: 'profiles with a list `metrics`',
    run: async (sources, shipped, mibs) =>
      (await import('../../authoring/import/index.ts')).importProfiles(
        dialect,
        sources,
        await knownWith(shipped, mibs),
      ),
  };
}

/** Without --mibs nothing of MIBs is loaded. */
async function knownWith(
  shipped: CompiledDefinitions,
  paths: readonly string[] | undefined,
): Promise<KnownDefinitions> {
  const known = knownIn(shipped);
  if (paths === undefined) return known;
  const [{ addMibs }, { openMibs }] = await Promise.all([
    import('./known-in-mibs.ts'),
    import('../mib/open-mibs.ts'),
  ]);
  return addMibs(known, openMibs(paths));
}

function listSources(path: string, endings: RegExp): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined)
    throw importFailure('IMPORT_UNREADABLE', { file: path, reason: 'it does not exist' });
  if (!found.isDirectory()) return [path];
  return listFiles(path, endings);
}

async function readSources(
  paths: readonly string[],
  { read = async (path) => readYamlSource(path) }: Importer,
): Promise<{ readonly sources: SourceFile[]; readonly problems: UnreadableSource[] }> {
  const sources: SourceFile[] = [];
  const problems: UnreadableSource[] = [];
  for (const path of paths) {
    const { source, problems: found } = await read(path);
    problems.push(...found);
    if (source !== undefined) sources.push(source);
  }
  return { sources, problems };
}

interface Summary {
  readonly counts: Readonly<Record<string, number>>;
  readonly translated: readonly ImportNote[];
  readonly refused: readonly ImportNote[];
  readonly unreadable: readonly UnreadableSource[];
}

function summarize({ set, report, files }: ImportResult): Omit<Summary, 'unreadable'> {
  const { kept }: ImportReport = report;
  const [translated, refused] = [report.translated, report.refused].map(sortByPlace) as [
    ImportNote[],
    ImportNote[],
  ];
  const counts = {
    files,
    kept,
    translated: translated.length,
    refused: refused.length,
    objects: set.objects.length,
    attributes: set.objects.reduce((sum, { attributes }) => sum + attributes.length, 0),
    objectGroups: set.objectGroups.length,
    deviceGroups: set.deviceGroups.length,
    devices: set.devices.length,
    secrets: set.secrets.size,
  };
  return { counts, translated, refused };
}

function sortByPlace(notes: readonly ImportNote[]): ImportNote[] {
  const compareFiles = (one: string, other: string) => (one < other ? -1 : Number(one > other));
  return [...notes].sort((a, b) => compareFiles(a.file, b.file) || a.line - b.line || a.column - b.column);
}

function formatSummary(
  { counts, translated, refused, unreadable }: Summary,
  written: number,
  out: string,
): string {
  const { kept, objects = 0, attributes = 0, deviceGroups = 0, devices = 0, secrets = 0 } = counts;
  const place = ({ file, line, column }: UnreadableSource | ImportNote) =>
    colours.bold(`${file}:${line}:${column}`);
  const made = [
    counted(objects, 'object'),
    counted(attributes, 'attribute'),
    counted(deviceGroups, 'device group'),
    counted(devices, 'device'),
  ].join(', ');
  return [
    ...unreadable.map((each) => `${place(each)}  ${colours.red('not read')}  ${each.reason}`),
    ...refused.map((each) => `${place(each)}  ${colours.yellow('refused')}  ${each.what}: ${each.reason}`),
    ...countReasons(translated).map(
      ([reason, count]) => `${colours.dim('translated')}  ${count} × ${reason}`,
    ),
    `${kept} kept, ${translated.length} translated, ${refused.length} refused (--json lists each with its place)`,
    `Wrote ${counted(written, 'file')} to ${out}: ${made}.`,
    ...(secrets === 0
      ? []
      : [
          `Secrets are in ${join(out, 'secrets')}: name this directory as secrets_directory, or move the files to yours.`,
        ]),
    `Next: waywiser check ${out} --shipped${secrets === 0 ? '' : ` --secrets ${join(out, 'secrets')}`}`,
  ].join('\n');
}

function countReasons(notes: readonly ImportNote[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { reason } of notes) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}
