import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatSnmprecLine } from '../../../cli/snmp/record/snmprec-line.ts';
import { isException } from '../../../src/snmp/index.ts';
import { parseRecording } from '../../../src/testing/index.ts';
import { anyVarbind } from '../../snmp/support/arbitraries.ts';
import { varbindsOf } from '../../testing/replay/recording/recorded-varbinds.ts';

describe('a line of a recording', () => {
  it('is read back as the same varbind for every type and value', () => {
    const recorded = anyVarbind.filter(({ type }) => !isException(type));
    fc.assert(
      fc.property(recorded, (varbind) => {
        const line = formatSnmprecLine(varbind);
        assert.match(line, /^[ -~]+\n$/);
        assert.deepEqual(varbindsOf(parseRecording(line)), [varbind]);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps white space at the ends of a text, and text that looks like a number or a line', () => {
    for (const text of [' a', 'a ', 'a\tb', '', '0x41', '#', '|', '|4|', 'a|b', '\n', 'é']) {
      const varbind = { oid: '1.3.6', type: 'OctetString', value: Buffer.from(text) } as const;
      assert.deepEqual(
        varbindsOf(parseRecording(formatSnmprecLine(varbind))),
        [varbind],
        JSON.stringify(text),
      );
    }
  });

  it('refuses an exception', () => {
    const exception = { oid: '1.3.6', type: 'noSuchInstance', value: null } as const;
    assert.throws(() => formatSnmprecLine(exception), RangeError);
  });
});
