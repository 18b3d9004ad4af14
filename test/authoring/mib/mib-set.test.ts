import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs, { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { MibSet } from '../../../authoring/mib/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { moduleOf, object, openMibs, table } from './support/compile-mibs.ts';

const module = (name: string, text: string) => `${name} DEFINITIONS ::= BEGIN ${text} END\n`;
const identity = (date: string, oid: number) =>
  `id MODULE-IDENTITY LAST-UPDATED "${date}" ORGANIZATION "" CONTACT-INFO "" DESCRIPTION "" ::= { enterprises ${oid} }`;

describe('a set of MIBs', () => {
  it('counts files, modules and nodes', (t) => {
    const set = openMibs(t, {
      'a/T-MIB': moduleOf(''),
      'b/x': module('X', ''),
      readme: 'DEFINITIONS, none.',
    });
    assert.deepEqual(set.counts(), { modules: 2, nodes: 1, files: 3 });
    assert.deepEqual(set.problems(), []);
  });

  it('reads for one module the files that are named like it or like an import, in any folder and case', (t) => {
    const set = openMibs(t, {
      'deep/a-mib.my': module('A-MIB', 'IMPORTS b FROM B_MIB; a OBJECT IDENTIFIER ::= { b 1 }'),
      'rfc/B-MIB.txt': module('B_MIB', 'b OBJECT IDENTIFIER ::= { enterprises 1 }'),
      'other.mib': '"broken',
      'damaged.mib': 'D-MIB DEFINITIONS ::= BEGIN',
    });
    assert.deepEqual(
      set.module('A-MIB')!.nodes.map(({ oid }) => oid),
      ['1.3.6.1.4.1.1.1'],
    );
    assert.deepEqual(set.problems(), []);
    assert.equal(set.module('NO-MIB'), undefined);
    assert.equal(set.counts().modules, 3);
    assert.deepEqual(
      set.problems().map(({ rule }) => rule),
      ['missing-end'],
    );
  });

  it('looks into no other file for a module whose file leaves out -MIB, and for what its imports define', (t) => {
    const set = openMibs(t, {
      'acme.mib': module(
        'ACME-MIB',
        `IMPORTS used FROM TYPES-MIB; ${object('a', 'Missing', 'used 1')} ${object('b', 'Missing', 'used 2')}`,
      ),
      'other.txt': module('OTHER-MIB', 'Missing ::= INTEGER'),
      'types.txt': module(
        'TYPES-MIB',
        'used OBJECT IDENTIFIER ::= { enterprises 1 } Missing ::= OCTET STRING',
      ),
    });
    const opened = countOpened(t, 'other.txt');
    assert.deepEqual(
      set.module('ACME-MIB')!.nodes.map(({ type }) => type),
      ['OctetString', 'OctetString'],
    );
    assert.deepEqual(
      set.problems().map(({ rule }) => rule),
      ['missing-import', 'missing-import'],
    );
    assert.equal(opened(), 0);
    assert.equal(set.module('NO-MIB'), undefined);
    assert.notEqual(opened(), 0);
  });

  it('searches all files once for the names that a module forgets to import, and reads only those that define one', (t) => {
    const set = openMibs(t, {
      'a-mib': module(
        'A-MIB',
        `a OBJECT IDENTIFIER ::= { home 1 } b OBJECT IDENTIFIER ::= { other 1 } ${object('c', 'Thing', 'b 1')}`,
      ),
      'x.txt': module('X-MIB', 'home -- sweet\n OBJECT IDENTIFIER ::= { enterprises 7 }'),
      'y.txt': module('Y-MIB', 'y OBJECT IDENTIFIER ::= { enterprises other(8) 1 }'),
      'z.txt': module('Z-MIB', 'Thing ::= OCTET STRING (SIZE (0..9))'),
      // Warnings would say that it was read.
      'mentions.txt':
        'M-MIB DEFINITIONS ::= BEGIN IMPORTS home, other FROM X-MIB; m OBJECT-TYPE SYNTAX Thing (SIZE (1..2)) -- no END',
    });
    const open = t.mock.method(fs, 'openSync');
    syncBuiltinESMExports();
    t.after(() => {
      open.mock.restore();
      syncBuiltinESMExports();
    });
    assert.deepEqual(
      set.module('A-MIB')!.nodes.map(({ oid }) => oid),
      ['1.3.6.1.4.1.7.1', '1.3.6.1.4.1.8.1', '1.3.6.1.4.1.8.1.1'],
    );
    const opened = open.mock.calls.filter(({ arguments: [path] }) => String(path).endsWith('mentions.txt'));
    assert.equal(opened.length, 1);
    assert.deepEqual(
      set.problems().map(({ rule }) => rule),
      ['missing-import', 'missing-import', 'missing-import'],
    );
  });

  it('reads everything for a module that forgets hundreds of imports, instead of searching for each', (t) => {
    const names = Array.from({ length: 200 }, (_, i) => `lost${i}`);
    const set = openMibs(t, {
      'a-mib': module(
        'A-MIB',
        names.map((name) => `${name}x OBJECT IDENTIFIER ::= { ${name} 1 }`).join('\n'),
      ),
      'x.txt': module('X-MIB', 'lost7 OBJECT IDENTIFIER ::= { enterprises 7 }'),
    });
    assert.deepEqual(
      set.module('A-MIB')!.nodes.map(({ oid }) => oid),
      ['1.3.6.1.4.1.7.1'],
    );
  });

  it('compiles for a name only the modules that define it', (t) => {
    const set = openMibs(t, {
      'T-MIB': moduleOf(object('a', 'INTEGER', 'acme 1')),
      'broken.txt': module('B-MIB', 'b OBJECT IDENTIFIER ::= { nowhere 1 }'),
    });
    assert.deepEqual(
      set.findByName('a').map(({ oid }) => oid),
      ['1.3.6.1.4.1.9999.1'],
    );
    assert.deepEqual(set.problems(), []);
  });

  it('finds what a name means inside a module', (t) => {
    const set = openMibs(t, {
      'T-MIB': moduleOf('', 'enterprises FROM SNMPv2-SMI there FROM U-MIB'),
      'U-MIB': module('U-MIB', 'there OBJECT IDENTIFIER ::= { enterprises 1 }'),
    });
    assert.equal(set.findWithin('T-MIB', 'there')?.module, 'U-MIB');
    assert.equal(set.findWithin('T-MIB', 'acme')?.module, 'T-MIB');
    assert.deepEqual([set.findWithin('T-MIB', 'x'), set.findWithin('X', 'acme')], [undefined, undefined]);
  });

  it('finds a module in a file of any name', (t) => {
    const set = openMibs(t, { 'export-of-2024.dat': module('A-MIB', ''), 'b.txt': module('B-MIB', '') });
    assert.equal(set.module('A-MIB')?.name, 'A-MIB');
    const late = openMibs(t, {
      'all.txt': `${module('B-MIB', '-- comment\n'.repeat(2_000))}${module('A-MIB', '')}`,
    });
    assert.equal(late.module('A-MIB')?.name, 'A-MIB');
  });

  it('uses the newer of two files of a module, and reports the other at its name', (t) => {
    const set = openMibs(t, {
      'new/M.txt': module('M', identity('200001010000Z', 2)),
      'none.txt': module('M', 'id OBJECT IDENTIFIER ::= { enterprises 3 }'),
      'old/M.txt': module('M', identity('9912310000Z', 1)),
    });
    const [m] = set.modules();
    assert.deepEqual([m!.lastUpdated, m!.nodes[0]!.oid], ['200001010000', '1.3.6.1.4.1.2']);
    const problems = set
      .problems()
      .map(({ rule, file, line, column }) => `${rule} ${file.split('/').at(-1)} ${line}:${column}`);
    assert.deepEqual(problems.sort(), ['duplicate-module M.txt 1:1', 'duplicate-module none.txt 1:1']);
    assert.match(
      set.problems()[0]!.message,
      /^The module M of .*new\/M\.txt is used instead: its LAST-UPDATED is 200001010000\.$/,
    );
  });

  it('uses the first of two files without a date', (t) => {
    const set = openMibs(t, {
      'a.txt': module('M', 'a OBJECT IDENTIFIER ::= { enterprises 1 }'),
      'b.txt': module('M', 'b OBJECT IDENTIFIER ::= { enterprises 1 }'),
    });
    assert.equal(set.module('M')!.nodes[0]!.name, 'a');
    assert.equal(
      openMibs(t, { a: module('M', identity('yesterday', 1)) }).modules()[0]!.lastUpdated,
      undefined,
    );
  });

  it('reports wrong dates', (t) => {
    const set = openMibs(t, { a: module('M', identity('yesterday', 1)) });
    set.modules();
    assert.deepEqual(
      set.problems().map(({ rule }) => rule),
      ['date-syntax'],
    );
  });

  it('finds nodes by name, with or without their module', (t) => {
    const set = openMibs(t, {
      'T-MIB': moduleOf(object('a', 'INTEGER', 'acme 1')),
      'U-MIB': module('U-MIB', 'a OBJECT IDENTIFIER ::= { enterprises 1 }'),
    });
    assert.deepEqual(
      set.findByName('a').map(({ module }) => module),
      ['T-MIB', 'U-MIB'],
    );
    assert.equal(set.findByName('U-MIB::a')[0]!.oid, '1.3.6.1.4.1.1');
    assert.deepEqual([set.findByName('b'), set.findByName('X::a'), set.findByName('')], [[], [], []]);
  });

  it('finds the node of an OID, and what the OID has behind it', (t) => {
    const set = openMibs(t, {
      'T-MIB': moduleOf(`${table('port', 'acme 1')} root OBJECT IDENTIFIER ::= { acme 1 }`),
    });
    const find = (oid: string) => {
      const found = set.findByOid(oid);
      return found === undefined ? undefined : [found.node.name, found.suffix];
    };
    assert.deepEqual(find('.1.3.6.1.4.1.9999.1.1.1.7.8'), ['portIndex', '7.8']);
    assert.deepEqual(find('1.3.6.1.4.1.9999.1.1.1'), ['portIndex', '']);
    assert.deepEqual(find('1.3.6.1.4.1.9999.1'), ['portTable', '']);
    assert.deepEqual([find('1.3.6.1.4.1.99990'), find(''), find('x')], [undefined, undefined, undefined]);
  });

  it('reports a path that does not exist, and reads the others', (t) => {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, 'a'), module('M', ''));
    const set = new MibSet([join(folder, 'gone'), folder]);
    assert.equal(set.counts().modules, 1);
    assert.deepEqual(set.problems(), [
      {
        level: 'error',
        rule: 'file-unreadable',
        message: 'The path cannot be read: there is no such file or directory.',
        file: join(folder, 'gone'),
        line: 1,
        column: 1,
      },
    ]);
  });

  it('reads each file once through links, circles of folders included, and no pipe', (t) => {
    const folder = temporaryFolder(t);
    mkdirSync(join(folder, 'a'));
    writeFileSync(join(folder, 'a', 'm'), module('M', ''));
    symlinkSync(join(folder, 'a', 'm'), join(folder, 'link'));
    symlinkSync(folder, join(folder, 'a', 'circle'));
    const set = new MibSet([folder, folder]);
    assert.deepEqual(set.counts(), { modules: 1, nodes: 0, files: 1 });
    assert.deepEqual(set.problems(), []);
  });

  it('reports pipes, sockets, devices and links to nothing, each with its path, and reads the files beside them', async (t) => {
    if (process.platform !== 'linux') return t.skip('the special files of Linux');
    const folder = temporaryFolder(t);
    mkdirSync(join(folder, 'folder.mib'));
    writeFileSync(join(folder, 'folder.mib', 'm.mib'), module('M', ''));
    execFileSync('mkfifo', [join(folder, 'pipe.mib')]);
    symlinkSync('/dev/zero', join(folder, 'zero.mib'));
    symlinkSync(join(folder, 'nothing'), join(folder, 'broken.mib'));
    symlinkSync('circle.mib', join(folder, 'circle.mib'));
    symlinkSync('/proc/self/mem', join(folder, 'unreadable.mib'));
    const server = createServer().listen(join(folder, 'socket.mib'));
    await once(server, 'listening');
    t.after(() => server.close());
    const set = new MibSet([folder]);
    assert.equal(set.counts().modules, 1);
    assert.deepEqual(
      Object.fromEntries(
        set
          .problems()
          .map(({ level, rule, message, file, line }) => [
            file.slice(folder.length + 1),
            `${level} ${rule} ${line} ${message}`,
          ]),
      ),
      {
        'broken.mib': 'error file-unreadable 1 The path cannot be read: there is no such file or directory.',
        'circle.mib':
          'error file-unreadable 1 The path cannot be read: its path has too many symbolic links, or a circle of them.',
        'pipe.mib': 'error file-unreadable 1 The path cannot be read: it is neither a file nor a folder.',
        'socket.mib': 'error file-unreadable 1 The path cannot be read: it is neither a file nor a folder.',
        'unreadable.mib': 'error file-unreadable 1 The file cannot be read: EIO.',
        'zero.mib': 'error file-unreadable 1 The path cannot be read: it is neither a file nor a folder.',
      },
    );
    const one = new MibSet([folder]);
    assert.equal(one.module('M')?.name, 'M');
    assert.equal(one.module('Nowhere'), undefined);
  });

  it('does not read a file above 64 MiB', (t) => {
    const folder = temporaryFolder(t);
    const path = join(folder, 'M');
    writeFileSync(path, module('M', ''));
    truncateSync(path, 64 * 2 ** 20 + 1);
    const set = new MibSet([folder]);
    assert.equal(set.counts().modules, 0);
    assert.deepEqual(
      set.problems().map(({ level, rule }) => `${level} ${rule}`),
      ['error file-too-large'],
    );
  });

  it('lists a thousand problems of a file, and says that there are more', (t) => {
    const names = Array.from({ length: 1_200 }, (_, i) => `a_${i} OBJECT IDENTIFIER ::= { acme ${i} }`);
    const set = openMibs(t, { 'T-MIB': moduleOf(names.join('\n')) });
    assert.equal(set.modules()[0]!.nodes.length, 1_201);
    assert.equal(set.problems().length, 1_001);
    assert.equal(set.problems().at(-1)!.rule, 'too-many-problems');
  });
});

/** How often a file of this name was opened since. */
function countOpened(test: TestContext, name: string): () => number {
  const { mock: opens } = test.mock.method(fs, 'openSync');
  const { mock: reads } = test.mock.method(fs, 'readFileSync');
  syncBuiltinESMExports();
  test.after(() => {
    test.mock.restoreAll();
    syncBuiltinESMExports();
  });
  const isIt = ([path]: readonly unknown[]) => String(path).endsWith(name);
  return () =>
    [...opens.calls, ...reads.calls].map((call) => call.arguments).filter((words) => isIt(words)).length;
}
