import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { showMibNode } from '../../../cli/mib/show.ts';
import { printed } from '../support/printed.ts';
import { acmeOid, rowInstance, writeAcmeMibs } from './support/acme-mibs.ts';

const folder = writeAcmeMibs();
const show = (t: TestContext, word: string) => printed(t, () => showMibNode(word, { mibs: [folder] }));
const showJson = async (t: TestContext, word: string) =>
  JSON.parse(await printed(t, () => showMibNode(word, { mibs: [folder], json: true })));

describe('waywiser mib show', () => {
  it('prints the facts, the file and the description of a node, without control characters', async (t) => {
    assert.equal(
      await show(t, 'ACME-MIB::acmeState'),
      `ACME-MIB::acmeState
oid     ${acmeOid}.5.1.2
kind    column
type    INTEGER (Integer32)
enums   up(1), down(2)
access  read-only
status  current
index   portIndex, acmeMac, acmeState, acmeHost, IMPLIED acmeName
file    ${folder}/ACME-MIB.txt:35

About acmeState.\\u001b[31m
\\u009b32m Its second line.`,
    );
  });

  it('finds the same node by its name, its OID and the OID of an instance', async (t) => {
    const words = ['acmeBytes', `.${acmeOid}.5.1.5`, `${acmeOid}.5.1.5.1`, 'ACME-MIB::acmeEntry.5.1'];
    for (const word of words) {
      const [node, ...others] = await showJson(t, word);
      assert.deepEqual([node.name, node.oid, node.units], ['acmeBytes', `${acmeOid}.5.1.5`, 'bytes'], word);
      assert.equal(others.length, 0);
    }
  });

  it('shows the values of the index in an instance: numbers, enums, addresses and texts', async (t) => {
    const [{ instance, indexColumns, indexValues }] = await showJson(t, `acmeBytes.${rowInstance}`);
    assert.equal(instance, rowInstance);
    assert.deepEqual(indexColumns.slice(0, 2), ['ACME-PORT-MIB::portIndex', 'ACME-MIB::acmeMac']);
    assert.deepEqual(indexValues, {
      portIndex: '3',
      acmeMac: '00:1b:21:aa:bb:cc',
      acmeState: 'down(2)',
      acmeHost: '192.0.2.7',
      acmeName: '"hi"',
    });
    assert.match(
      await show(t, `acmeBytes.${rowInstance}`),
      /^instance {2}portIndex 3, acmeMac 00:1b:21:aa:bb:cc, /m,
    );
  });

  it('says when an instance does not fit the index', async (t) => {
    for (const instance of ['3.0.27', `${rowInstance}.256`, '3.0.27.33.170.187.204.2.192.0']) {
      assert.match(
        await show(t, `acmeBytes.${instance}`),
        /^instance {2}[\d.]+ \(does not fit the index\)$/m,
      );
    }
  });

  it('shows a name of several modules for each, and a type without an OID', async (t) => {
    const found = await showJson(t, 'acmeHeat');
    assert.deepEqual(
      found.map(({ module }: { module: string }) => module),
      ['ACME-MIB', 'ACME-PORT-MIB'],
    );
    assert.match(await show(t, 'Celsius'), /^kind {4}type\ntype {4}Integer32\nhint {4}d-1$/m);
  });

  it('suggests a near name, in the module that was named and among the modules', async () => {
    const suggestions = {
      acmeByte: 'acmeBytes',
      'ACME-MIB::acmeKnd': 'ACME-MIB::acmeKind',
      'ACME-MB::acmeKind': 'ACME-MIB::acmeKind',
    };
    for (const [word, near] of Object.entries(suggestions)) {
      await assert.rejects(showMibNode(word, { mibs: [folder] }), {
        code: 'MIB_NAME_UNKNOWN',
        message: `No MIB in ${folder} defines "${word}". Did you mean "${near}"?`,
      });
    }
  });

  it('reports an OID that nothing defines, and a directory that does not exist', async () => {
    await assert.rejects(showMibNode('1.3.6.1.2', { mibs: [folder] }), { code: 'MIB_OID_UNKNOWN' });
    await assert.rejects(showMibNode('x', { mibs: [`${folder}/gone`] }), {
      code: 'MIB_PATH_UNREADABLE',
      message: `The MIB path ${folder}/gone cannot be read: there is no such file or directory. Name a file or a directory with MIB files.`,
    });
  });
});
