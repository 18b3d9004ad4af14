import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCapture } from '../../../cli/trap/capture-file.ts';
import { seededRandom } from '../../../src/testing/index.ts';
import { type CaptureForm, capturedMs, captureOf, nextCaptureOf } from './captures.ts';

const datagrams = [Buffer.from('first'), Buffer.from('the second')];

describe('captures', () => {
  it('are read in both formats, byte orders, IP versions and several link types', () => {
    for (const write of [captureOf, nextCaptureOf]) {
      for (const isLittle of [true, false]) {
        for (const link of [1, 101, 113] as const) {
          for (const ipVersion of [4, 6] as const) {
            const form: CaptureForm = { isLittle, link, ipVersion };
            const read = [...readCapture(write(datagrams, form))];
            const source = ipVersion === 4 ? '192.0.2.1' : '2001:db8::1';
            const expected = datagrams.map((octets) => ({
              octets,
              source,
              sourcePort: 50_123,
              targetPort: 162,
              time: new Date(capturedMs),
            }));
            assert.deepEqual(read, expected, `${write.name} ${JSON.stringify(form)}`);
          }
        }
      }
    }
  });

  it('whose times are beyond all calendars end with a RangeError', () => {
    const file = nextCaptureOf(datagrams);
    const packet = file.indexOf(Buffer.of(6, 0, 0, 0), 28);
    file.writeUInt32LE(0xffffffff, packet + 12);
    assert.throws(() => [...readCapture(file)], { name: 'RangeError', message: /impossible time/ });
  });

  it('that are damaged end with a RangeError, whatever is in them', () => {
    const random = seededRandom(1);
    for (const write of [captureOf, nextCaptureOf]) {
      const whole = write(datagrams);
      for (let i = 0; i < 2_000; i++) {
        const file = Buffer.from(whole.subarray(0, Math.floor(random() * (whole.length + 1))));
        if (file.length > 0) file[Math.floor(random() * file.length)] = Math.floor(random() * 256);
        try {
          const read = [...readCapture(file)];
          assert.ok(read.length <= datagrams.length + 1);
          for (const { time } of read) time.toISOString();
        } catch (error) {
          assert.ok(error instanceof RangeError, String(error));
        }
      }
    }
  });
});
