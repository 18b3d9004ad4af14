import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { coverage } from '../../../cli/definitions/coverage/coverage.ts';
import { CoverageTally, knownIn } from '../../../cli/definitions/coverage/measure-coverage.ts';
import { OidArcs } from '../../../cli/definitions/coverage/oid-arcs.ts';
import { PackedOids } from '../../../cli/definitions/coverage/packed-oids.ts';
import { cutSubtrees } from '../../../cli/definitions/coverage/subtrees.ts';
import { defaultPollBudget } from '../../../src/definitions/selection/fit-budget.ts';
import { compareOids } from '../../../src/model/oid.ts';
import { encodeOid } from '../../../src/snmp/index.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { writeFolder } from '../../kernel/support/scratch-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { printed } from '../support/printed.ts';

const recording = 'test/recordings/rack-sensors.snmprec';
const options = { top: '25', group: 'pdu' };
/** Definitions that are quick to load. */
const small = {
  top: '25',
  directory: writeFolder({
    'objects/system.yml': 'system: { index: [], attributes: { name: { oid: 1.3.6.1.2.1.1.5 } } }\n',
  }),
};

describe('waywiser coverage', () => {
  it('lists what a recording has that is not collected, and what the definitions have that it lacks', async (t) => {
    const json = await printed(t, () => coverage([recording], { ...options, json: true }));
    const report = JSON.parse(json);
    assert.equal(report.sysObjectId, '1.3.6.1.4.1.32473.4.1');
    assert.deepEqual(report.uncollected[0], { oid: '1.3.6.1.4.1.32473.4.2.1.1', values: 32, columns: 4 });
    const sensors = report.collected.find(({ object }: { object: string }) =>
      object.includes('entPhySensorEntry'),
    );
    assert.equal(sensors.values % 6, 0);
    assert.ok(report.unanswered.includes('ENTITY-STATE-MIB::entStateEntry'));
    assert.deepEqual(report.missing, [
      { object: 'IF-MIB::ifEntry', attributes: ['ifInNUcastPkts', 'ifOutNUcastPkts', 'ifOutQLen'] },
    ]);
    const all = ['collected', 'elsewhere', 'uncollected'].flatMap((list) => report[list]);
    assert.equal(
      all.reduce((sum: number, { values }: { values: number }) => sum + values, 0),
      report.values,
    );
  });

  it('says that a recording does not exist, and takes no name of a file for a host', async () => {
    for (const file of ['gone.snmprec.gz', './gone', 'recordings/gone.walk']) {
      await assert.rejects(coverage([file], small), {
        code: 'RECORDING_MISSING',
        message: `There is no file ${file}. Name a recording, or a device by its name or address.`,
      });
    }
  });

  it('reports the same for a device as for its recording', async (t) => {
    await using agent = await startReplayAgent({ recording });
    const linesOf = async (source: string) =>
      (await printed(t, () => coverage([source], options))).split('\n');
    const expected = await linesOf(recording);
    assert.deepEqual(await linesOf(`127.0.0.1:${agent.port}`), expected);
    assert.match(expected[0]!, /compared with the device group pdu/);
    assert.match(expected.join('\n'), /32 +4 +1\.3\.6\.1\.4\.1\.32473\.4\.2\.1\.1\n/);
  });

  it('suggests the device group with the nearest name', async () => {
    const asked = coverage([recording], { ...options, group: 'pdus' });
    await assert.rejects(asked, { code: 'DEVICE_GROUP_UNKNOWN', message: /Did you mean "pdu"/ });
  });

  it('reads a recording whose lines are in any order, compressed or not, as one in order', async (t) => {
    const lines = readFileSync(recording, 'latin1').trimEnd().split('\n');
    const folder = temporaryFolder(t);
    const expected = await printed(t, () => coverage([recording], { ...options, json: true }));
    const shuffled = join(folder, 'shuffled.snmprec.gz');
    writeFileSync(shuffled, gzipSync(Buffer.from([...lines.toReversed(), lines[5]].join('\n'), 'latin1')));
    const json = await printed(t, () => coverage([shuffled], { ...options, json: true }));
    assert.deepEqual({ ...JSON.parse(json), source: '' }, { ...JSON.parse(expected), source: '' });
  });

  it('warns of lines that it cannot read, and goes on with the others', async (t) => {
    const warnings = t.mock.method(console, 'error', () => {});
    const text = readFileSync(recording, 'latin1');
    const folder = temporaryFolder(t);
    const reportOf = async (name: string, content: string) => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return JSON.parse(await printed(t, () => coverage([path], { ...small, json: true })));
    };
    const whole = await reportOf('whole.snmprec', text);
    const private32 = '1.3.6.1.2.1.2.2.1.10.1|65|<private>\n1.3.6.1.4.1.9.1.0|40|x\n';
    const redacted = await reportOf('redacted.snmprec', private32 + text);
    const { lines, first } = redacted.unreadable;
    assert.equal(lines, 2);
    assert.deepEqual(first[0], {
      line: 1,
      problem: 'a value of tag 65 must be a whole number, not "<private>"',
    });
    assert.deepEqual(
      { ...redacted, unreadable: undefined, source: '' },
      { ...whole, source: '', unreadable: undefined },
    );
    assert.match(
      String(warnings.mock.calls[0]!.arguments[0]),
      /redacted\.snmprec:1: .* The line is left out\.$/,
    );
    assert.equal(whole.unreadable, undefined);

    const disordered = text.trimEnd().split('\n').toReversed().join('\n');
    const reversed = await reportOf('reversed.snmprec', private32.repeat(4) + disordered);
    assert.deepEqual([reversed.unreadable.lines, reversed.unreadable.first.length], [8, 5]);
    assert.equal(reversed.values, whole.values);
    assert.match(String(warnings.mock.calls.at(-1)!.arguments[0]), /3 more lines cannot be read/);

    const walk = '.1.3.6.1.2.1.1.3.0 = Timeticks: <private>\n.1.3.6.1.2.1.1.5.0 = STRING: "rack"\n';
    const walked = await reportOf('rack.walk', walk);
    assert.deepEqual([walked.values, walked.unreadable.lines], [1, 1]);
  });

  it('refuses a file without any line that it can read', async (t) => {
    t.mock.method(console, 'error', () => {});
    const path = join(temporaryFolder(t), 'page.snmprec');
    writeFileSync(path, '<html>\n<body>\n');
    await assert.rejects(coverage([path], small), {
      code: 'RECORDING_INVALID',
      message: /page\.snmprec:1: expected OID/,
    });
  });

  it('prints a line of JSON per recording of its files and folders, and exits with 1 where one fails', async (t) => {
    t.mock.method(console, 'error', () => {});
    const folder = temporaryFolder(t);
    const text = readFileSync(recording);
    mkdirSync(join(folder, 'rooms/first'), { recursive: true });
    writeFileSync(join(folder, 'rooms/first/b.snmprec.gz'), gzipSync(text));
    writeFileSync(join(folder, 'rooms/a.snmprec'), text);
    writeFileSync(join(folder, 'rooms/read.me'), 'no recording');
    const linesOf = async (sources: readonly string[], code: number) => {
      const print = async () => assert.equal(await coverage(sources, small), code);
      return (await printed(t, print)).split('\n').map((line) => JSON.parse(line));
    };
    const { values } = (await linesOf([recording, recording], 0))[0];
    const good = await linesOf([join(folder, 'rooms'), recording], 0);
    assert.deepEqual(
      good.map((report) => [basename(report.source), report.values]),
      [
        ['a.snmprec', values],
        ['b.snmprec.gz', values],
        ['rack-sensors.snmprec', values],
      ],
    );
    writeFileSync(join(folder, 'rooms/a.snmprec'), '<html>');
    const [failed, other] = await linesOf([folder], 1);
    assert.match(failed.error, /a\.snmprec:1: expected OID/);
    assert.equal(other.values, values);
  });

  it('keeps of a value that nothing collects a few octets, and of the others nothing', () => {
    const rows = 20_000;
    const tally = new CoverageTally(knownIn({ objects: new Map(), everyMsByType: new Map() }));
    for (let column = 1; column <= 5; column++) {
      for (let row = 1; row <= rows; row++)
        tally.add(encodeOid(`1.3.6.1.4.1.32473.9.1.1.${column}.${row}.10.0.0.1`)!);
    }
    assert.equal(tally.values, 5 * rows);
    assert.ok(tally.unknown.heldBytes < 32 * tally.values, `${tally.unknown.heldBytes} octets are held`);
    const wish = { isAuto: true, named: new Set<string>(), without: new Set<string>() };
    const { uncollected, uncollectedRoots } = tally.finish(wish, defaultPollBudget);
    assert.deepEqual(uncollectedRoots, [
      { oid: '1.3.6.1.4.1.32473', values: 5 * rows, why: ['no_definition'] },
    ]);
    assert.deepEqual(uncollected, [{ oid: '1.3.6.1.4.1.32473.9.1.1', values: 5 * rows, columns: 5 }]);
  });
});

describe('OIDs without a MIB', () => {
  it('are grouped into scalars, tables and columns by their shape', () => {
    const rows = (column: string, instances: readonly string[]) => instances.map((row) => `${column}.${row}`);
    const oids = [
      '1.3.9.1.1.0',
      '1.3.9.1.2.0',
      ...rows('1.3.9.1.3.1.2', ['1.1', '1.2', '2.7']),
      ...rows('1.3.9.1.3.1.4', ['1.1', '2.7']),
      ...rows('1.3.9.1.3.1.5', ['1.1', '1.2', '2.7']),
      ...rows('1.3.9.1.4.1.3', ['5', '6']),
      ...rows('1.3.9.1.5.1.1', ['3.97.98.99', '2.97.98']),
      ...rows('1.3.9.2.3.1.2', ['5', '6']),
      ...rows('1.3.9.2.4.1.2', ['1.5', '2.6']),
    ];
    assert.deepEqual(cutSubtrees(pack(oids)), [
      { oid: '1.3.9.1', values: 2, columns: 2 },
      { oid: '1.3.9.1.3.1', values: 8, columns: 3 },
      { oid: '1.3.9.1.4.1.3', values: 2, columns: 1 },
      { oid: '1.3.9.1.5.1.1', values: 2, columns: 1 },
      { oid: '1.3.9.2.3.1.2', values: 2, columns: 1 },
      { oid: '1.3.9.2.4.1.2', values: 2, columns: 1 },
    ]);
    assert.deepEqual(cutSubtrees(pack([])), []);
  });
});

/** The OIDs in their order, as coverage keeps those that no definition reads. */
function pack(oids: readonly string[]): PackedOids {
  const packed = new PackedOids();
  const arcs = new OidArcs();
  for (const oid of oids.toSorted(compareOids)) {
    assert.ok(arcs.next(encodeOid(oid)!), oid);
    packed.add(arcs, arcs.shared);
  }
  return packed;
}
