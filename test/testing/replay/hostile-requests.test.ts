import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CommunityCodec } from '../../../src/snmp/codec/community-message.ts';
import { parseRecording, seededRandom } from '../../../src/testing/index.ts';
import { ReplayedDevice } from '../../../src/testing/replay/replayed-device.ts';

const codec = new CommunityCodec();
const varbinds = ['1.3', '1.3.6.1.2.1.2.2.1.1.128', '1.3.6.1.4.1.4294967295'].map(
  (oid) => ({ oid, type: 'Null', value: null }) as const,
);
const seeds = [
  ...(['1', '2c'] as const).flatMap((version) =>
    (['GetRequest', 'GetNextRequest', 'GetBulkRequest', 'SetRequest'] as const).map((type) =>
      codec.encode({
        version,
        community: Buffer.from('public'),
        pdu: { type, requestId: 1, errorStatus: 1, errorIndex: 20, varbinds },
      }),
    ),
  ),
  Buffer.from(
    '303e0201033011020400000001020300ffe30401040201030410300e0400020100020100040004000400' +
      '301404000400a00e0204000000010201000201003000',
    'hex',
  ),
];

describe('replay agent before hostile requests', () => {
  it('answers or ignores 100,000 mutated datagrams, never throws, and answers the next request', () => {
    const lines = Array.from(
      { length: 300 },
      (_, i) => `1.3.6.1.2.1.2.2.1.1.${i}|${i % 2 === 0 ? 70 : 2}|${i}`,
    );
    const device = new ReplayedDevice({
      recording: parseRecording(lines.join('\n')),
      contexts: {},
      community: 'public',
      users: [],
      engineId: Buffer.from('8000000001020304', 'hex'),
      engineBoots: 1,
      clock: () => 0,
    });
    const last = '1.3.6.1.2.1.2.2.1.1.299';
    device.set({ jumps: [{ after: last, to: '1.3.6.1.2.1.2.2.1.1.0' }] });
    const random = seededRandom(3);
    let answered = 0;
    for (let i = 0; i < 100_000; i++) {
      const reply = device.answer(mutate(seeds[i % seeds.length]!, random));
      if (typeof reply === 'string') continue;
      answered++;
      assert.ok(reply.length <= 1472, `${reply.length} octets`);
    }
    assert.ok(answered > 5000 && answered < 95_000, `${answered} answered`);
    for (const seed of seeds) assert.notEqual(device.answer(seed), 'malformed');
    assert.equal(typeof device.answer(seeds.at(-1)!), 'object', 'the report with the engine id');
  });
});

/** One to four octets changed, cut off or put in. */
function mutate(seed: Buffer, random: () => number): Buffer {
  let datagram = Buffer.from(seed);
  for (let changes = 1 + Math.floor(random() * 4); changes > 0; changes--) {
    const at = Math.floor(random() * datagram.length);
    const kind = random();
    if (kind < 0.7) datagram[at] = Math.floor(random() * 256);
    else if (kind < 0.8) datagram = datagram.subarray(0, at);
    else if (kind < 0.9) datagram = Buffer.concat([datagram.subarray(0, at), datagram.subarray(at + 1)]);
    else datagram = Buffer.concat([datagram.subarray(0, at), Buffer.of(0xff), datagram.subarray(at)]);
  }
  return datagram;
}
