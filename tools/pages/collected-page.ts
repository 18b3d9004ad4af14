import type { RawObject } from '../../src/definitions/schema/raw-definitions.ts';
import { type Evidence, listObjectFolders, readEvidence } from '../../test/shipped/evidence-files.ts';
import { loadShippedDefinitions } from '../../test/shipped/shipped.ts';

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
  return `${[introduction, ...sections].join('\n\n')}\n`;
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
