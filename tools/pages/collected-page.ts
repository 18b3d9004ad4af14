import type { RawObject } from '../../src/definitions/schema/raw-definitions.ts';
import { AutoCatalog } from '../../src/definitions/selection/auto-catalog.ts';
import { type Evidence, listObjectFolders, readEvidence } from '../../test/shipped/evidence-files.ts';
import { loadShippedDefinitions } from '../../test/shipped/shipped.ts';
import { renderTable } from './markdown-table.ts';
import { type NamedSubject, namedTables, namedVendors } from './named-subjects.ts';
import { recordedDevices, uncollectedRoots } from './uncollected-roots.ts';

/** The text of docs/collected.md: what the shipped definitions collect, and what each object was tried on. */
export function renderCollected(): string {
  const { raw } = loadShippedDefinitions();
  const evidence = readEvidence();
  const sections = [...listObjectFolders()].map(([folder, ids]) => {
    const modules = new Map<string, string[]>();
    for (const id of ids) {
      const { mib = '' } = raw.objects.get(id)!;
      modules.set(mib, [...(modules.get(mib) ?? []), id]);
    }
    return [
      `## ${folder}`,
      ...[...modules].map(([mib, members]) => renderModule(mib, members, raw.objects, evidence)),
    ].join('\n\n');
  });
  const subjects = renderSubjects(raw.objects, evidence);
  return `${[introduction, subjects, renderOverview(evidence), ...sections, renderUncollected()].join('\n\n')}\n`;
}

/** What vendors and subjects have, which people look for by their names. */
function renderSubjects(objects: Objects, evidence: ReadonlyMap<string, Evidence>): string {
  const folders = listObjectFolders();
  const render = (head: string, subjects: readonly NamedSubject[], named: boolean) =>
    renderTable(
      [head, 'collected by', 'tried on', 'not collected, and why'],
      subjects.map((subject) => {
        const ids = findObjects(subject, objects, folders);
        const names = named
          ? listByModule(ids, objects)
          : subject.objects.map((place) => linkPlace(place)).join(', ');
        return [
          subject.name,
          ids.length === 0 ? 'nothing' : names,
          countEvidence(ids, evidence),
          subject.missing ?? '',
        ];
      }),
    );
  return [
    '## By vendor',
    'How many objects each vendor has, and what they were tried on. Interfaces, addresses, neighbours, sensors of ENTITY-SENSOR-MIB and all other standard MIBs are collected of every vendor.',
    render('vendor', namedVendors, false),
    '## By subject',
    'An object with a star is on request.',
    render('subject', namedTables, true),
    '## By folder',
  ].join('\n\n');
}

function listByModule(ids: readonly string[], objects: Objects): string {
  const modules = new Map<string, string[]>();
  for (const id of ids) {
    const { mib = '' } = objects.get(id)!;
    modules.set(mib, [...(modules.get(mib) ?? []), nameObject(id, objects)]);
  }
  return [...modules]
    .map(([mib, names]) => `${mib}: ${names.length > 6 ? `${names.length} objects` : names.join(', ')}`)
    .join('; ');
}

function linkPlace(place: string): string {
  return place.includes('::') || place.includes('*') ? `\`${place}\`` : `[${place}](#${anchorOf(place)})`;
}

function anchorOf(folder: string): string {
  return folder.replaceAll(/[^\w-]/g, '');
}

/** The objects of a subject. A name that finds nothing is an error: it would claim what is not collected. */
export function findObjects(
  subject: NamedSubject,
  objects: Objects,
  folders: ReadonlyMap<string, readonly string[]>,
): string[] {
  const found = subject.objects.flatMap((place) => {
    const ids = [...objects.keys()].filter((id) => {
      if (place.startsWith('record:'))
        return (objects.get(id) as { readonly record?: string }).record === place.slice('record:'.length);
      return place.endsWith('*') ? id.startsWith(place.slice(0, -1)) : id === place;
    });
    const all = [...ids, ...(folders.get(place) ?? [])];
    if (all.length === 0) throw new Error(`${subject.name}: no object is ${place}`);
    return all;
  });
  return [...new Set(found)];
}

function countEvidence(ids: readonly string[], evidence: ReadonlyMap<string, Evidence>): string {
  const kinds = ids.map((id) => {
    const { recording, mib } = evidence.get(id) ?? {};
    return recording !== undefined ? 'recorded' : mib !== undefined ? 'MIB' : 'written';
  });
  return ['recorded', 'MIB', 'written']
    .map((kind) => [kinds.filter((found) => found === kind).length, kind] as const)
    .filter(([count]) => count > 0)
    .map(([count, kind]) => `${count} ${kind}`)
    .join(', ');
}

/** How many objects each folder has, by what they were tried on. */
function renderOverview(evidence: ReadonlyMap<string, Evidence>): string {
  const rows = [...listObjectFolders()].map(([folder, ids]) => {
    const count = (has: (found: Evidence) => boolean) =>
      String(ids.filter((id) => has(evidence.get(id) ?? { facts: '' })).length);
    return [
      `[${folder}](#${anchorOf(folder)})`,
      String(ids.length),
      count(({ recording }) => recording !== undefined),
      count((found) => found.mib !== undefined),
      count(({ written }) => written !== undefined),
    ];
  });
  const head = ['folder', 'objects', 'a recorded device', 'the MIB', 'a written recording'];
  return renderTable(head, rows);
}

/** Roots that nothing collects, as far as that is still so. */
function renderUncollected(): string {
  const { objects } = loadShippedDefinitions();
  const catalog = new AutoCatalog(objects);
  const rows = uncollectedRoots.flatMap(({ root, devices, what, reason, isDefined = false }) => {
    const below = catalog.objectsBelow(root);
    const isCollected = below.some(({ collect }) => collect !== 'on_request');
    if (isCollected && !isDefined) return [];
    const why = below.length === 0 ? 'no definition' : isCollected ? 'not answered' : 'on request';
    return [[String(devices), `\`${root}\``, what, why, reason]];
  });
  return [
    '## Roots that nothing collects',
    `Standard MIBs and vendors of which ${recordedDevices} recorded devices answer something and nothing is collected, with [the reason](definitions.md#why-something-is-not-collected): the 20 most frequent ones, and others. \`waywiser ctl uncollected\` lists those of your own devices.`,
    renderTable(['devices', 'root', 'what it is', 'why', 'reason'], rows),
  ].join('\n\n');
}

type Objects = ReadonlyMap<string, RawObject>;

const introduction = `# What is collected

The objects that ship, by the folder of their file in \`definitions/objects\`, with what each of them was tried on:

- **a recorded device**: the recording of a real device. Every row has its labels, and every column has values that its syntax reads.
- **the MIB**: OIDs, types, index and the words of enums are those of the MIB. No recording has it.
- **a written recording**: a short recording that was written for the test. It proves that the object decodes, not that it is as in the MIB.

An object with a star is collected only where an object group names it.

\`\`\`sh
waywiser show object IF-MIB::ifXEntry  # the attributes of one object
waywiser coverage 192.0.2.1 -v2c -c public  # what a device of yours offers, and what is collected of it
\`\`\``;

function renderModule(
  mib: string,
  ids: readonly string[],
  objects: Objects,
  evidence: ReadonlyMap<string, Evidence>,
): string {
  const named = (has: (found: Evidence) => boolean) =>
    ids
      .filter((id) => has(evidence.get(id) ?? { facts: '' }))
      .map((id) => nameObject(id, objects))
      .join(', ');
  const lines = [
    ['a recorded device', named(({ recording }) => recording !== undefined)],
    ['the MIB', named((found) => found.mib !== undefined)],
    ['a written recording', named(({ written }) => written !== undefined)],
  ].filter(([, names]) => names !== '');
  return [
    `**${mib}**: ${describe(ids, objects)}`,
    '',
    ...lines.map(([what, names]) => `- ${what}: ${names}`),
  ].join('\n');
}

function nameObject(id: string, objects: Objects): string {
  const collect = (objects.get(id) as { readonly collect?: string }).collect;
  return `${id.slice(id.indexOf('::') + 2)}${collect === 'on_request' ? '\\*' : ''}`;
}

/** Records and classes of sensors, and the first words of the fields. */
function describe(ids: readonly string[], objects: Objects): string {
  const words = new Set<string>();
  for (const id of ids) {
    const { record, attributes } = objects.get(id)! as RawObject & { readonly record?: string };
    if (record !== undefined) words.add(record);
    for (const attribute of Object.values(attributes)) {
      const { sensor, name } = attribute as typeof attribute & {
        readonly sensor?: { readonly class: unknown };
      };
      if (sensor !== undefined) for (const kind of classesOf(sensor.class)) words.add(kind);
      else if (record === undefined && name !== undefined) words.add(name.split('.')[0]!);
    }
  }
  return [...words].join(', ');
}

function classesOf(kind: unknown): string[] {
  if (typeof kind === 'string') return [kind];
  const { values = {} } = kind as { readonly values?: Readonly<Record<string, string>> };
  return Object.values(values);
}
