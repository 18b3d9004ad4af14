import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { MibSet } from '../../../authoring/mib/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const module = (name: string, node = 'a') =>
  `${name} DEFINITIONS ::= BEGIN ${node} OBJECT IDENTIFIER ::= { iso 9 } END\n`;

/** A set that has listed two files, before anything happens to the second one. */
function listed(test: TestContext) {
  const folder = temporaryFolder(test);
  const file = join(folder, 'B-MIB');
  writeFileSync(join(folder, 'A-MIB'), module('A-MIB'));
  writeFileSync(file, module('B-MIB'));
  return { folder, file, set: new MibSet([folder]) };
}

const outcome = (set: MibSet) => [
  set.modules().map(({ name, nodes }) => `${name} ${nodes.map((node) => node.name).join()}`),
  set.problems().map(({ level, rule, message }) => `${level} ${rule} ${message}`),
];

describe('a MIB file that is listed and then', () => {
  it('disappears is reported, and the others are read', (t) => {
    const { file, set } = listed(t);
    rmSync(file);
    assert.deepEqual(outcome(set), [
      ['A-MIB a'],
      ['error file-unreadable The file cannot be read: there is no such file or directory.'],
    ]);
  });

  it('is replaced has the new text in every answer', (t) => {
    const { file, set } = listed(t);
    writeFileSync(file, module('C-MIB', 'c'.repeat(64)).padEnd(100_000));
    assert.equal(set.module('B-MIB'), undefined);
    assert.deepEqual(outcome(set), [['A-MIB a', `C-MIB ${'c'.repeat(64)}`], []]);
  });

  it('is replaced after it was read keeps the text that was read', (t) => {
    const { file, set } = listed(t);
    const node = set.module('B-MIB')!.nodes[0]!;
    writeFileSync(file, 'x');
    assert.deepEqual([node.name, node.locate().line], ['a', 1]);
    assert.deepEqual(outcome(set), [['A-MIB a', 'B-MIB a'], []]);
  });

  it('becomes a pipe or a folder does not block', { skip: process.platform === 'win32' }, (t) => {
    for (const command of ['mkfifo', 'mkdir']) {
      const { file, set } = listed(t);
      rmSync(file);
      execFileSync(command, [file]);
      assert.equal(set.module('Z-MIB'), undefined);
      assert.deepEqual(outcome(set), [
        ['A-MIB a'],
        ['error file-unreadable The file cannot be read: it is no plain file.'],
      ]);
    }
  });
});

describe('a MIB file or folder without permission', () => {
  it('is reported with its path, and the others are read', {
    skip: process.platform === 'win32' && 'Windows has other permissions',
  }, (t) => {
    const folder = temporaryFolder(t);
    chmodSync(folder, 0o755);
    for (const name of ['open', 'closed'])
      writeFileSync(join(folder, name), module(`${name}-MIB`.toUpperCase()));
    const inner = temporaryFolder(t);
    chmodSync(join(folder, 'closed'), 0);
    chmodSync(inner, 0);
    const problems = asNobody(() => {
      const set = new MibSet([folder, inner]);
      assert.deepEqual(
        set.modules().map(({ name }) => name),
        ['OPEN-MIB'],
      );
      return set.problems();
    });
    chmodSync(inner, 0o700);
    assert.deepEqual(
      problems.map(({ file, message }) => [file, message]).sort(),
      [
        [join(folder, 'closed'), 'The file cannot be read: permission is denied.'],
        [inner, 'The path cannot be read: permission is denied.'],
      ].sort(),
    );
  });
});

/** Root may read everything. */
function asNobody<Result>(work: () => Result): Result {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid!(65_534);
  try {
    return work();
  } finally {
    process.seteuid!(0);
  }
}
