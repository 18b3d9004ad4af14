import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinRepetitions, parseRepetitions, parseTiming } from '../../../cli/snmp/options/request-options.ts';
import { parseTargetAddress, resolveTarget } from '../../../cli/snmp/options/target-address.ts';

describe('a target on the command line', () => {
  const targets: readonly (readonly [string, string, number, number])[] = [
    ['192.0.2.1', '192.0.2.1', 161, 0],
    ['192.0.2.1:1161', '192.0.2.1', 1161, 0],
    ['udp:192.0.2.1:1161', '192.0.2.1', 1161, 4],
    ['2001:db8::1', '2001:db8::1', 161, 0],
    ['[2001:db8::1]', '2001:db8::1', 161, 0],
    ['[2001:db8::1]:1161', '2001:db8::1', 1161, 0],
    ['udp6:[::1]:1161', '::1', 1161, 6],
    ['udp6:2001:db8::1', '2001:db8::1', 161, 6],
    ['[fe80::1%eth0]:1161', 'fe80::1%eth0', 1161, 0],
    ['switch-1.example', 'switch-1.example', 161, 0],
    ['switch_1:65535', 'switch_1', 65_535, 0],
    ['udp6:switch:162', 'switch', 162, 6],
    ['udp', 'udp', 161, 0],
  ];
  for (const [text, host, port, family] of targets) {
    it(`reads ${text}`, () => assert.deepEqual(parseTargetAddress(text), { host, port, family }));
  }

  const wrong = [
    ...['', ':', ':161', 'host:', 'host:0', 'host:65536', 'host:1e3', 'host:161:1', 'ho st', 'host/1'],
    ...[
      '[host]:161',
      '[192.0.2.1]',
      '[::1',
      '::1]',
      '[]:161',
      '[::1]161',
      'udp:',
      'udp:[::1]',
      'udp6:192.0.2.1',
    ],
    ...['tcp:host:161', 'udp:udp:host:161', 'host\n'],
  ];
  for (const text of wrong) {
    it(`refuses ${JSON.stringify(text)}`, () =>
      assert.throws(() => parseTargetAddress(text), { code: 'TARGET_INVALID' }));
  }

  it('resolves a name, IPv4 first', async () => {
    assert.deepEqual(await resolveTarget(parseTargetAddress('localhost:99')), {
      address: '127.0.0.1',
      port: 99,
    });
  });

  it('names the host that cannot be resolved', async () => {
    await assert.rejects(resolveTarget(parseTargetAddress('nowhere.invalid')), {
      code: 'HOST_UNKNOWN',
      message:
        /^The host name nowhere\.invalid cannot be resolved: (the name servers know no address|no name server answers).* An address needs no name server\.$/,
    });
  });
});

describe('-C on the command line', () => {
  it('reads repetitions and non-repeaters, the last of each', () => {
    assert.deepEqual(parseRepetitions(undefined), {});
    assert.deepEqual(parseRepetitions(['r5', 'n0', 'r25']), { maxRepetitions: 25, nonRepeaters: 0 });
  });

  for (const word of ['', 'r', 'r0', 'r-1', 'r2147483648', 'n', 'c', '25', 'r25n1', 'r 25', 'R25']) {
    it(`refuses -C${word}`, () => assert.throws(() => parseRepetitions([word]), { code: 'OPTION_INVALID' }));
  }

  it('joins only a number to the option before it', () => {
    assert.deepEqual(joinRepetitions(['-Cr', '25', 'host', '-Cn', '1', '1.3']), [
      '-Cr25',
      'host',
      '-Cn1',
      '1.3',
    ]);
    const untouched = ['-Cr25', '7', '-Cr', 'host', '-C', '25', '-c', '25', '25', '-Cr'];
    assert.deepEqual(joinRepetitions(untouched), untouched);
  });
});

describe('-t and -r on the command line', () => {
  it("have net-snmp's defaults", () => assert.deepEqual(parseTiming({}), { timeoutMs: 1000, retries: 5 }));

  it('accept fractions of seconds and zero retries', () =>
    assert.deepEqual(parseTiming({ t: '.25', r: '0' }), { timeoutMs: 250, retries: 0 }));

  for (const wrong of [{ t: '0' }, { t: '-1' }, { t: '1s' }, { t: '' }, { t: '3601' }, { t: '1e1' }]) {
    it(`refuse ${JSON.stringify(wrong)}`, () =>
      assert.throws(() => parseTiming(wrong), { code: 'OPTION_INVALID', message: /^-t takes/ }));
  }
  for (const wrong of [{ r: '-1' }, { r: '1.5' }, { r: '' }, { r: '101' }]) {
    it(`refuse ${JSON.stringify(wrong)}`, () =>
      assert.throws(() => parseTiming(wrong), { code: 'OPTION_INVALID', message: /^-r takes/ }));
  }
});
