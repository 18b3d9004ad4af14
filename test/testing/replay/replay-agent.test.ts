import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseRecording, startReplayAgent, startReplayAgents } from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { Asker } from './asker.ts';

const recording = parseRecording(
  [
    '1.3.6.1.2.1.1.1.0|4|a device',
    '1.3.6.1.2.1.1.3.0|67|100',
    '1.3.6.1.2.1.2.2.1.1.1|2|1',
    '1.3.6.1.2.1.2.2.1.1.2|2|2',
    '1.3.6.1.2.1.2.2.1.2.1|4|eth0',
    '1.3.6.1.2.1.2.2.1.2.2|4|eth1',
    '1.3.6.1.2.1.31.1.1.1.6.1|70|9007199254740993',
    '1.3.6.1.2.1.31.1.1.1.6.2|70|1',
  ].join('\n'),
);
const missing = '1.3.6.1.2.1.2.2.1.1.9';

describe('replay agent', () => {
  it('answers GET with values, and in v2c with an exception where there is no value', async () => {
    await using agent = await startReplayAgent({ recording });
    await using asker = new Asker(agent);
    const reply = await asker.get([
      '1.3.6.1.2.1.1.1.0',
      missing,
      '1.3.6.1.9.1.0',
      '1.3.6.1.2.1.31.1.1.1.6.1',
    ]);
    assert.deepEqual(
      reply.varbinds.map(({ type, value }) => [type, value]),
      [
        ['OctetString', Buffer.from('a device')],
        ['noSuchInstance', null],
        ['noSuchObject', null],
        ['Counter64', 9007199254740993n],
      ],
    );
    assert.equal(reply.errorStatus, 0);
  });

  it('answers v1 with noSuchName and the request itself where there is no value or a Counter64', async () => {
    await using agent = await startReplayAgent({ recording });
    await using asker = new Asker(agent, '1');
    for (const oid of [missing, '1.3.6.1.2.1.31.1.1.1.6.1']) {
      const { errorStatus, errorIndex, varbinds } = await asker.get(['1.3.6.1.2.1.1.1.0', oid]);
      assert.deepEqual([errorStatus, errorIndex], [2, 2]);
      assert.deepEqual(
        varbinds.map((varbind) => [varbind.oid, varbind.type]),
        [
          ['1.3.6.1.2.1.1.1.0', 'Null'],
          [oid, 'Null'],
        ],
      );
    }
  });

  it('skips Counter64 in v1 and ends the MIB with noSuchName', async () => {
    const mixed = parseRecording('1.3.1|70|1\n1.3.2|70|2\n1.3.3|2|3\n1.3.4|70|4');
    await using agent = await startReplayAgent({ recording: mixed });
    await using asker = new Asker(agent, '1');
    assert.equal((await asker.getNext(['1.3'])).varbinds[0]?.oid, '1.3.3');
    const { errorStatus, errorIndex } = await asker.getNext(['1.3', '1.3.3']);
    assert.deepEqual([errorStatus, errorIndex], [2, 2]);
  });

  it('answers GETNEXT of OIDs that it does not have, and endOfMibView after the last one', async () => {
    await using agent = await startReplayAgent({ recording });
    await using asker = new Asker(agent);
    const { varbinds } = await asker.getNext([
      '1.3',
      '1.3.6.1.2.1.2.2.1.1.1.5',
      '1.3.6.1.2.1.31.1.1.1.6.2',
      '2.5',
    ]);
    assert.deepEqual(
      varbinds.map(({ oid, type }) => [oid, type]),
      [
        ['1.3.6.1.2.1.1.1.0', 'OctetString'],
        ['1.3.6.1.2.1.2.2.1.1.2', 'Integer32'],
        ['1.3.6.1.2.1.31.1.1.1.6.2', 'endOfMibView'],
        ['2.5', 'endOfMibView'],
      ],
    );
  });

  it('answers GETBULK in the order of RFC 3416 §4.2.3: non-repeaters once, then row by row', async () => {
    await using agent = await startReplayAgent({ recording });
    await using asker = new Asker(agent);
    const { varbinds } = await asker.getBulk(
      ['1.3.6.1.2.1.1.1', '1.3.6.1.2.1.2.2.1.1', '1.3.6.1.2.1.31.1.1.1.6.1'],
      1,
      3,
    );
    assert.deepEqual(
      varbinds.map(({ oid, type }) => `${oid} ${type}`),
      [
        '1.3.6.1.2.1.1.1.0 OctetString',
        '1.3.6.1.2.1.2.2.1.1.1 Integer32',
        '1.3.6.1.2.1.31.1.1.1.6.2 Counter64',
        '1.3.6.1.2.1.2.2.1.1.2 Integer32',
        '1.3.6.1.2.1.31.1.1.1.6.2 endOfMibView',
        '1.3.6.1.2.1.2.2.1.2.1 OctetString',
        '1.3.6.1.2.1.31.1.1.1.6.2 endOfMibView',
      ],
    );
  });

  it('ends a GETBULK with the first repetition that contains only endOfMibView', async () => {
    await using agent = await startReplayAgent({ recording });
    await using asker = new Asker(agent);
    const { varbinds } = await asker.getBulk(['1.3.6.1.2.1.31.1.1.1.6.1'], 0, 50);
    assert.deepEqual(
      varbinds.map(({ type }) => type),
      ['Counter64', 'endOfMibView'],
    );
  });

  it('ignores malformed datagrams, other communities and PDUs that are no requests', async () => {
    await using agent = await startReplayAgent({ recording, community: 'secret' });
    await using stranger = new Asker(agent, '2c', 'public');
    await using asker = new Asker(agent, '1', 'secret');
    stranger.send(Buffer.from('junk'));
    stranger.send(Buffer.alloc(0));
    stranger.sendPdu('GetRequest', ['1.3.6.1.2.1.1.1.0']);
    asker.sendPdu('Report', ['1.3.6.1.2.1.1.1.0']);
    asker.sendPdu('Response', ['1.3.6.1.2.1.1.1.0']);
    assert.equal((await asker.get(['1.3.6.1.2.1.1.1.0'])).errorStatus, 0);
    assert.deepEqual(
      { ...agent.counters.refused },
      { malformed: 2, version: 0, community: 1, pdu: 2, security: 0, silent: 0 },
    );
    assert.equal(stranger.received, 0);
  });

  it('rejects SET requests, first those without a value', async () => {
    await using agent = await startReplayAgent({ recording });
    await using asker = new Asker(agent);
    const { errorStatus, errorIndex } = await asker.ask('SetRequest', ['1.3.6.1.2.1.1.1.0']);
    assert.deepEqual([errorStatus, errorIndex], [7, 1]);
    await using old = new Asker(agent, '1');
    assert.equal((await old.ask('SetRequest', ['1.3.6.1.2.1.1.1.0'])).errorStatus, 3);
  });

  it('starts many agents from one recording, each at its own address', async () => {
    const agents = await startReplayAgents(
      Array.from({ length: 20 }, (_, i) => ({
        recording,
        ...(process.platform === 'linux' ? { address: `127.0.7.${i + 1}` } : {}),
      })),
    );
    try {
      for (const agent of agents) {
        await using asker = new Asker(agent);
        assert.equal((await asker.get(['1.3.6.1.2.1.1.1.0'])).errorStatus, 0);
      }
    } finally {
      await Promise.all(agents.map((agent) => agent.close()));
    }
  });

  it('reads a file that several agents use once, so that they share its memory', async (t) => {
    const folder = temporaryFolder(t);
    const path = join(folder, 'shared.snmprec');
    const lines = Array.from({ length: 20_000 }, (_, i) => `1.3.6.1.4.1.${i}|4|${'x'.repeat(200)}`);
    writeFileSync(path, lines.join('\n'));
    const before = process.memoryUsage().arrayBuffers;
    const agents = await startReplayAgents(Array.from({ length: 20 }, () => ({ recording: path })));
    const grown = process.memoryUsage().arrayBuffers - before;
    for (const agent of agents) {
      await using asker = new Asker(agent);
      assert.equal((await asker.getNext(['1.3'])).varbinds[0]?.oid, '1.3.6.1.4.1.0');
      await agent.close();
    }
    assert.ok(grown < 40e6, `${grown} octets for 20 devices with a recording of 5 MB`);
  });

  it('starts no agent when one of several cannot start', async () => {
    await using taken = await startReplayAgent({ recording });
    const free = await startReplayAgent({ recording });
    await free.close();
    await assert.rejects(
      startReplayAgents([
        { recording, port: free.port },
        { recording, port: taken.port },
      ]),
      { code: 'EADDRINUSE' },
    );
    await using again = await startReplayAgent({ recording, port: free.port });
    assert.equal(again.port, free.port);
  });

  it('can be closed twice', async () => {
    const agent = await startReplayAgent({ recording });
    await agent.close();
    await agent.close();
  });

  it('answers over IPv6', async () => {
    await using agent = await startReplayAgent({ recording, address: '::1' });
    await using asker = new Asker(agent);
    assert.equal((await asker.get(['1.3.6.1.2.1.1.3.0'])).varbinds[0]?.value, 100);
  });
});
