import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { coverage } from '../../../cli/definitions/coverage/coverage.ts';
import { draftAnswers } from '../../../cli/definitions/draft/draft.ts';
import { readDefinitions } from '../../../plugins/definitions-loader/commands.ts';
import { rowsOf } from '../../../src/index.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { pollRecording } from '../../../src/testing/poll-recording.ts';
import { parseRecording } from '../../../src/testing/replay/recording/load-recording.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { printed } from '../support/printed.ts';

const fanMib = `FAN-MIB DEFINITIONS ::= BEGIN
IMPORTS enterprises, OBJECT-TYPE, Integer32 FROM SNMPv2-SMI DisplayString FROM SNMPv2-TC;
fans OBJECT IDENTIFIER ::= { enterprises 32473 }
fanTable OBJECT-TYPE SYNTAX SEQUENCE OF FanEntry MAX-ACCESS not-accessible STATUS current DESCRIPTION "x" ::= { fans 1 }
fanEntry OBJECT-TYPE SYNTAX FanEntry MAX-ACCESS not-accessible STATUS current DESCRIPTION "x" INDEX { fanIndex }
  ::= { fanTable 1 }
FanEntry ::= SEQUENCE { fanIndex Integer32 }
fanIndex OBJECT-TYPE SYNTAX Integer32 MAX-ACCESS not-accessible STATUS current DESCRIPTION "x" ::= { fanEntry 1 }
fanName OBJECT-TYPE SYNTAX DisplayString MAX-ACCESS read-only STATUS current DESCRIPTION "Name." ::= { fanEntry 2 }
fanSpeed OBJECT-TYPE SYNTAX Integer32 UNITS "turns" MAX-ACCESS read-only STATUS current DESCRIPTION "Speed." ::= { fanEntry 3 }
fanHeat OBJECT-TYPE SYNTAX Integer32 UNITS "Celsius" MAX-ACCESS read-only STATUS current DESCRIPTION "Heat." ::= { fanEntry 4 }
fanCount OBJECT-TYPE SYNTAX Integer32 MAX-ACCESS read-only STATUS current DESCRIPTION "Number of fans." ::= { fans 2 }
fanMore OBJECT-TYPE SYNTAX Integer32 MAX-ACCESS read-only STATUS current DESCRIPTION "Not answered." ::= { fans 3 }
END
`;

/** Fans that the MIB describes, a table and a scalar that none does, a user of the agent, and what the shipped definitions collect. */
const recording = `1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.32473
1.3.6.1.2.1.1.3.0|67|100
1.3.6.1.4.1.32473.1.1.2.1|4|left
1.3.6.1.4.1.32473.1.1.2.2|4|right
1.3.6.1.4.1.32473.1.1.3.1|2|1200
1.3.6.1.4.1.32473.1.1.3.2|2|1300
1.3.6.1.4.1.32473.2.0|2|2
1.3.6.1.4.1.32473.8.0|66|5
1.3.6.1.4.1.32473.9.1.1.1.7.1|65|70
1.3.6.1.4.1.32473.9.1.1.1.7.2|65|71
1.3.6.1.4.1.32473.9.1.1.2.7.1|4|one
1.3.6.1.4.1.32473.9.1.1.2.7.2|4|two
1.3.6.1.6.3.15.1.2.2.1.3.1.97|4|anna
`;

function prepare(context: TestContext) {
  const folder = temporaryFolder(context);
  mkdirSync(join(folder, 'mibs'));
  writeFileSync(join(folder, 'mibs/fans.txt'), fanMib);
  const source = join(folder, 'rack.snmprec');
  writeFileSync(source, recording);
  return { source, mibs: [join(folder, 'mibs')], out: join(folder, 'out') };
}

/** The columns of each drafted object. Fails when the draft is not valid beside the definitions that ship. */
function read(out: string) {
  const { problems, compiled } = readDefinitions({ directories: ['definitions', out] }, undefined);
  deepEqual(
    problems.filter(({ level }) => level === 'error'),
    [],
  );
  const { objects } = compiled.objectGroups.get('rack')!;
  return Object.fromEntries(
    objects.map((id) => [id, [...compiled.objects.get(id)!.attributes.values()].map(({ name }) => name)]),
  );
}

const drafted = {
  'FAN-MIB::fanEntry': ['fanName', 'fanSpeed'],
  'FAN-MIB::fans': ['fanCount'],
  'ENTERPRISE-32473::scalars': ['scalar_8'],
  'ENTERPRISE-32473::entry_9_1_1': ['column_1', 'column_2'],
};

describe('waywiser draft', () => {
  it('drafts what a recording has and nothing collects, by MIBs where they describe it', async (t) => {
    const { source, mibs, out } = prepare(t);
    const json = await printed(t, () => draftAnswers(source, { mibs, out, json: true }));
    const { counts, left } = JSON.parse(json);
    deepEqual(counts, { objects: 4, attributes: 6, enums: 0, notifications: 0, decisions: 2 });
    deepEqual(left, []);
    deepEqual(read(out), drafted);
    const entry = readFileSync(join(out, 'objects/rack.yml'), 'utf8');
    match(entry, /# decide: what 1\.3\.6\.1\.4\.1\.32473\.9\.1\.1 is \(2 rows\)/);
  });

  it('drafts the same from the device itself', async (t) => {
    const { source, mibs, out } = prepare(t);
    await using agent = await startReplayAgent({ recording: source });
    const target = `127.0.0.1:${agent.port}`;
    await printed(t, () => draftAnswers(target, { mibs, out, name: 'rack', c: 'public', v: '2c' }));
    deepEqual(read(out), drafted);
  });

  it('polls what it drafted, beside what the device had already', async (t) => {
    const { source, mibs, out } = prepare(t);
    await printed(t, () => draftAnswers(source, { mibs, out }));
    const batches = await pollRecording({
      definitions: ['definitions', out],
      recording: parseRecording(recording),
    });
    const rows = batches.flatMap((batch) => [...rowsOf(batch)]);
    const values = Object.assign({}, ...rows.flatMap(({ labels, values }) => [labels, values]));
    equal(values['fan.name'], 'right');
    equal(values['enterprise_32473.entry_9_1_1.column_1'], 71);
    equal(values['enterprise_32473.entry_9_1_1.row_2'], '2');
    ok(batches.some(({ record }) => record === 'SNMPv2-MIB::system'));
  });

  it('extends a table that ships by its further columns', async (t) => {
    const { source, mibs, out } = prepare(t);
    const directory = join(out, '../own');
    mkdirSync(join(directory, 'objects'), { recursive: true });
    writeFileSync(
      join(directory, 'objects/fans.yml'),
      `FAN-MIB::fanEntry:
  { mib: FAN-MIB, object: fanEntry, type: dynamic, discovery_attribute: fanName,
    index: [{ type: Integer, oid: .1.3.6.1.4.1.32473.1.1.1, name: fan.index, syntax: IntegerAsID, column: fanIndex }],
    attributes: { fanName: { oid: .1.3.6.1.4.1.32473.1.1.2, name: fan.speed, syntax: DisplayString, tag: true } } }
`,
    );
    await printed(t, () => draftAnswers(source, { mibs, out, directory }));
    const { compiled } = readDefinitions({ directories: [directory, out] }, undefined);
    const more = compiled.objects.get('FAN-MIB::fanEntryMore')!;
    equal(more.record, 'FAN-MIB::fanEntry');
    // The field fan.speed is taken.
    deepEqual(
      [...more.attributes.values()].map(({ name, fields }) => [name, fields[0]!.field]),
      [['fanSpeed', 'fan.speed_2']],
    );
  });

  it('says so when everything is collected, and writes nothing', async (t) => {
    const { source, out } = prepare(t);
    writeFileSync(source, recording.split('\n').slice(0, 2).join('\n'));
    await rejects(draftAnswers(source, { out }), { code: 'DRAFT_NOTHING_UNCOLLECTED' });
  });
});

describe('waywiser coverage --mibs', () => {
  it('names what nothing collects', async (t) => {
    const { source, mibs } = prepare(t);
    const json = await printed(t, () => coverage([source], { mibs, top: '9', json: true }));
    const { uncollected } = JSON.parse(json);
    deepEqual(uncollected.slice(0, 2), [
      {
        oid: '1.3.6.1.4.1.32473.1.1',
        name: 'FAN-MIB::fanEntry',
        values: 4,
        columns: 2,
        nodes: ['fanName', 'fanSpeed'],
      },
      { oid: '1.3.6.1.4.1.32473.9.1.1', values: 4, columns: 2 },
    ]);
    const text = await printed(t, () => coverage([source], { mibs, top: '9' }));
    match(text, /4 +2 +1\.3\.6\.1\.4\.1\.32473\.1\.1 +FAN-MIB::fanEntry/);
  });
});
