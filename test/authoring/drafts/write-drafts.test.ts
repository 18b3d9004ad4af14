import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { draftFiles } from '../../../authoring/drafts/draft-files.ts';
import type { DraftSet } from '../../../authoring/drafts/draft-set.ts';
import { writeDrafts } from '../../../authoring/drafts/write-drafts.ts';
import { parseYaml } from '../../../src/definitions/yaml/parse-yaml.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const entry = '1.3.6.1.4.1.63000.7.1.1';

const set: DraftSet = {
  objects: [
    {
      file: 'fan-mib',
      mib: 'FAN-MIB',
      entry: 'fanEntry',
      type: 'dynamic',
      comments: ['Decide whether fanSpeed is a counter.'],
      index: [
        { type: 'Integer', oid: `${entry}.1`, name: 'fan.index', syntax: 'IntegerAsID', column: 'fanIndex' },
      ],
      discoveryAttribute: 'fanState',
      attributes: [
        {
          key: 'fanState',
          oid: `${entry}.2`,
          name: 'fan.state',
          syntax: 'EnumInteger',
          description: 'What the fan does',
        },
        {
          key: 'fanSpeed',
          oid: `${entry}.3`,
          name: 'fan.speed',
          syntax: 'Gauge32',
          metric: 'gauge',
          unit: '1',
        },
      ],
    },
  ],
  enums: [
    {
      file: 'fan-mib',
      kind: 'integer',
      oid: `${entry}.2`,
      names: new Map([
        [1, 'yes'],
        [2, 'off: broken'],
      ]),
      comments: ['fanState'],
    },
  ],
  objectGroups: [{ file: 'fans', id: 'fans', members: ['FAN-MIB::fanEntry'] }],
  deviceGroups: [{ file: 'fans', id: 'fans', members: ['fans'] }],
  sysObjectIds: [
    { file: 'fans', oid: '1.3.6.1.4.1.63000.10', deviceGroup: 'fans' },
    { file: 'fans', oid: '1.3.6.1.4.1.63000.9', deviceGroup: 'fans' },
  ],
  devices: [],
  secrets: new Map([['community', 'hidden']]),
};

const intro = ['Written by a test.'];

describe('drafts', () => {
  it('are written in the layout of the definitions that ship', () => {
    const files = new Map(draftFiles(set, intro).map(({ path, text }) => [path, text]));
    equal(
      files.get('objects/fan-mib.yml'),
      `# Written by a test.

# Decide whether fanSpeed is a counter.
FAN-MIB::fanEntry:
  mib: FAN-MIB
  object: fanEntry
  type: dynamic
  index:
    - { type: Integer, oid: .${entry}.1, name: fan.index, syntax: IntegerAsID, column: fanIndex }
  discovery_attribute: fanState
  attributes:
    fanState:
      oid: .${entry}.2
      name: fan.state
      syntax: EnumInteger
      description: What the fan does
    fanSpeed:
      oid: .${entry}.3
      name: fan.speed
      syntax: Gauge32
      metric: gauge
      unit: "1"
`,
    );
    equal(
      files.get('enums/integer/fan-mib.yml'),
      `# Written by a test.\n\n# fanState\n.${entry}.2:\n  1: "yes"\n  2: "off: broken"\n`,
    );
    equal(
      files.get('autodiscover/sysoids/fans.yml'),
      '# Written by a test.\n\n.1.3.6.1.4.1.63000.9: fans\n.1.3.6.1.4.1.63000.10: fans\n',
    );
  });

  it('keep every text as it is', () => {
    const texts = [
      'a: b',
      '# no',
      "it's",
      'x"y',
      '-',
      '1e5',
      '0x10',
      'null',
      '~',
      '2024-01-01',
      ' a ',
      'a\nb',
      '\u2028',
      '\u0085',
      '${env:X}',
      'Ünï',
      '*a',
      '&a',
      '!t',
      '%',
      '@',
      '`',
    ];
    for (const text of texts) {
      const device = { file: 'all', id: 'one', settings: { tags: { value: text, list: [text] } } };
      const [file] = draftFiles(
        {
          ...set,
          objects: [],
          enums: [],
          objectGroups: [],
          deviceGroups: [],
          sysObjectIds: [],
          devices: [device],
          secrets: new Map(),
        },
        [text],
      );
      deepEqual(
        parseYaml(file!.text, 'typed').value,
        { one: { tags: { value: text, list: [text] } } },
        JSON.stringify(text),
      );
    }
  });

  it('are split where a file would be too large', () => {
    const objects = Array.from({ length: 40 }, (_, at) => ({
      ...set.objects[0]!,
      entry: `fan${at}Entry`,
      comments: ['x '.repeat(20_000)],
    }));
    const files = draftFiles({ ...set, objects }, intro).filter(({ path }) => path.startsWith('objects/'));
    deepEqual(
      files.map(({ path }) => path),
      ['objects/fan-mib-2.yml', 'objects/fan-mib.yml'],
    );
    ok(files.every(({ text }) => text.length < 1_048_576));
  });

  it('never replace a file without force, and write nothing then', (test) => {
    const directory = temporaryFolder(test);
    writeDrafts(set, directory, { intro });
    writeFileSync(join(directory, 'secrets/community'), 'mine');
    throws(() => writeDrafts(set, directory, { intro }), { code: 'DRAFT_WOULD_OVERWRITE' });
    equal(readFileSync(join(directory, 'secrets/community'), 'utf8'), 'mine');
    writeDrafts(set, directory, { intro, force: true });
    equal(readFileSync(join(directory, 'secrets/community'), 'utf8'), 'hidden\n');
  });

  it('keep secrets from other users', (test) => {
    const directory = temporaryFolder(test);
    for (const force of [false, true]) {
      writeDrafts(set, directory, { intro, force });
      equal(statSync(join(directory, 'secrets/community')).mode & 0o777, 0o600);
    }
    equal(statSync(join(directory, 'secrets')).mode & 0o777, 0o700);
  });

  it('name a directory that cannot be written', (test) => {
    const file = join(temporaryFolder(test), 'file');
    writeFileSync(file, '');
    throws(() => writeDrafts(set, file, { intro }), { code: 'DRAFT_UNWRITABLE' });
  });
});

describe('links in the directory of a draft', () => {
  it('lead nowhere: a folder that is a link is refused before anything is written', (t) => {
    const [directory, other] = [temporaryFolder(t), temporaryFolder(t)];
    symlinkSync(other, join(directory, 'objects'));
    throws(() => writeDrafts(set, directory, { intro: [], force: true }), { code: 'DRAFT_BEHIND_LINK' });
    throws(() => writeDrafts(set, directory, { intro: [] }), { code: 'DRAFT_BEHIND_LINK' });
    deepEqual([readdirSync(other), readdirSync(directory)], [[], ['objects']]);
  });

  it('that are files are replaced by files', (t) => {
    const [directory, other] = [temporaryFolder(t), temporaryFolder(t)];
    const victim = join(other, 'victim');
    writeFileSync(victim, 'kept');
    mkdirSync(join(directory, 'objects'));
    const file = join(directory, 'objects', 'fan-mib.yml');
    symlinkSync(victim, file);
    writeDrafts(set, directory, { intro: [], force: true });
    equal(readFileSync(victim, 'utf8'), 'kept');
    ok(lstatSync(file).isFile());
  });
});
