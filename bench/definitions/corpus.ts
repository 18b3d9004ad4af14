import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** How many of each kind. */
export interface CorpusSize {
  readonly objects: number;
  readonly attributesOfObject: number;
  readonly objectFiles: number;
  readonly enumFiles: number;
  readonly enumEntries: number;
  readonly sysObjectIds: number;
  readonly devices: number;
}

export const largestRealSet: CorpusSize = {
  objects: 2_800,
  attributesOfObject: 10,
  objectFiles: 450,
  enumFiles: 770,
  enumEntries: 140_000,
  sysObjectIds: 7_600,
  devices: 10_000,
};

/** Writes a generated set of definitions below `directory` and returns its texts. The same size gives the same bytes. */
export function writeCorpus(directory: string, size: CorpusSize): string[] {
  const texts: string[] = [];
  const write = (path: string, text: string): void => {
    const target = join(directory, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    texts.push(text);
  };
  writeObjects(size, write);
  writeEnums(size, write);
  writeGroups(size, write);
  writeDevices(size, write);
  return texts;
}

type Write = (path: string, text: string) => void;

const base = '.1.3.6.1.4.1.63000';
const groupSize = 7;
const groupsOfDevice = 4;
const filler =
  'This value is maintained by the entity and wraps or is reset when the management system restarts. Discontinuities can occur at other times as indicated by the time stamp of the same row. Agents that lack the hardware support report zero here and say so in the status column of the entry; a manager should therefore not compute rates over a discontinuity, and should discard the first interval after one. ';

function writeObjects(size: CorpusSize, write: Write): void {
  const { objects, objectFiles } = size;
  const perFile = Math.ceil(objects / objectFiles);
  for (let first = 0, file = 0; first < objects; first += perFile, file++) {
    const last = Math.min(objects, first + perFile);
    const texts = Array.from({ length: last - first }, (_, i) => objectText(first + i, size));
    write(`objects/mib${file}.yml`, texts.join('\n'));
  }
}

function objectText(object: number, { attributesOfObject: attributes, enumFiles }: CorpusSize): string {
  const entry = `${base}.${object + 1}.1`;
  const lines = [
    `BENCH${object}-MIB::entry${object}:`,
    `  mib: BENCH${object}-MIB`,
    `  object: entry${object}`,
    '  type: dynamic',
    '  index:',
    `    - { type: Integer, oid: ${entry}.1, name: bench.row${object}, syntax: InterfaceIndex }`,
    '  discovery_attribute: column2',
    '  attributes:',
  ];
  for (let column = 2; column < attributes + 2; column++) {
    const syntax =
      column === enumColumnOf(object) && object < enumFiles
        ? enumSyntaxOf(object)
        : plainSyntaxes[column % 3];
    lines.push(
      `    column${column}:`,
      `      oid: ${entry}.${column}`,
      `      name: bench.t${object}.column${column}`,
      `      syntax: ${syntax}`,
      `      metric: ${column % 2 === 0 ? 'counter' : 'gauge'}`,
      `      description: >-`,
      `        Column ${column} of table ${object}. ${filler.repeat(2).slice(0, 326 + ((object * 7 + column * 31) % 210))}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

const plainSyntaxes = ['Gauge32', 'BytesB', 'Counter64'];

/** The column of an object that has an enum. */
function enumColumnOf(object: number): number {
  return 3 * (1 + (object % 3));
}

function enumSyntaxOf(object: number): string {
  return object % 10 === 0 ? 'EnumBitmap' : 'EnumInteger';
}

function writeEnums({ enumFiles, enumEntries }: CorpusSize, write: Write): void {
  const entriesOfFile = Math.ceil(enumEntries / enumFiles);
  for (let file = 0; file < enumFiles; file++) {
    const lines = [`${base}.${file + 1}.1.${enumColumnOf(file)}:`];
    for (let entry = 0; entry < entriesOfFile; entry++) lines.push(`  ${entry}: state-${entry}-of-${file}`);
    write(`enums/${file % 10 === 0 ? 'bitmap' : 'integer'}/enum${file}.yml`, `${lines.join('\n')}\n`);
  }
}

function writeGroups({ objects, sysObjectIds }: CorpusSize, write: Write): void {
  const groups = Math.ceil(objects / groupSize);
  const objectGroups: string[] = [];
  const deviceGroups: string[] = [];
  for (let group = 0; group < groups; group++) {
    objectGroups.push(`group${group}:\n  objects:`);
    for (let i = group * groupSize; i < Math.min(objects, (group + 1) * groupSize); i++) {
      objectGroups.push(`    - BENCH${i}-MIB::entry${i}`);
    }
    deviceGroups.push(`kind${group}:\n  object_groups:`);
    for (let i = 0; i < groupsOfDevice; i++) deviceGroups.push(`    - group${(group + i * 37) % groups}`);
  }
  write('object_groups/groups.yml', `${objectGroups.join('\n')}\n`);
  write('device_groups/kinds.yml', `${deviceGroups.join('\n')}\n`);
  const ids = Array.from(
    { length: sysObjectIds },
    (_, i) => `.1.3.6.1.4.1.${63001 + (i % 97)}.1.${i}: kind${i % groups}`,
  );
  write('autodiscover/sysoids/all.yml', `${ids.join('\n')}\n`);
  write('defaults/object_types.yml', 'dynamic: { poll_interval: 60 }\nstatic: { poll_interval: 3600 }\n');
}

function writeDevices({ devices, objects }: CorpusSize, write: Write): void {
  const groups = Math.ceil(objects / groupSize);
  const perFile = 1_000;
  for (let first = 0; first < devices; first += perFile) {
    const lines: string[] = [];
    for (let i = first; i < Math.min(devices, first + perFile); i++) {
      lines.push(
        `device${i}: { ip: 10.${i >> 16}.${(i >> 8) & 255}.${i & 255}, device_groups: [kind${i % groups}] }`,
      );
    }
    write(`devices/devices${first}.yml`, `${lines.join('\n')}\n`);
  }
  write('defaults/device.yml', "default: { version: 2c, communities: ['${env:BENCH_COMMUNITY}'] }\n");
}
