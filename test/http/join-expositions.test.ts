import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinExpositions, labelExposition } from '../../src/http/join-expositions.ts';

const join = (texts: readonly string[], isDistinct = false) =>
  Buffer.concat([
    ...joinExpositions(
      texts.map((text) => Buffer.from(text)),
      isDistinct,
    ),
  ]).toString();

const up = '# HELP snmp_up Whether it answers.\n# TYPE snmp_up gauge\n';
const bytes = '# HELP snmp_bytes Bytes.\n# TYPE snmp_bytes counter\n# UNIT snmp_bytes bytes\n';

describe('texts for Prometheus of several workers', () => {
  const cases: readonly [title: string, texts: readonly string[], joined: string][] = [
    [
      'have each family once',
      [
        `${up}snmp_up{device="a"} 1\n${bytes}snmp_bytes_total{device="a"} 5\n`,
        `${bytes}snmp_bytes_total{device="b"} 7\n${up}snmp_up{device="b"} 0\n`,
      ],
      `${up}snmp_up{device="a"} 1\nsnmp_up{device="b"} 0\n${bytes}snmp_bytes_total{device="a"} 5\nsnmp_bytes_total{device="b"} 7\n`,
    ],
    [
      'have one end in OpenMetrics',
      [`# EOF\n`, `${up}snmp_up{device="a"} 1\n# EOF\n`, `${up}snmp_up{device="b"} 1\n# EOF\n`],
      `${up}snmp_up{device="a"} 1\nsnmp_up{device="b"} 1\n# EOF\n`,
    ],
    [
      'may have families without series',
      [`${up}${bytes}snmp_bytes_total 1\n`, `${bytes}${up}snmp_up{device="b"} 1\n`, `${up}`],
      `${up}snmp_up{device="b"} 1\n${bytes}snmp_bytes_total 1\n`,
    ],
    ['may be empty', ['', `${up}snmp_up{device="a"} 1\n`, ''], `${up}snmp_up{device="a"} 1\n`],
    ['have nothing when all are empty', ['', ''], ''],
    [
      'keep texts of devices that look like metadata',
      [`${up}snmp_up{device="# TYPE x\\n# HELP"} 1\n`, `${up}snmp_up{device="# EOF"} 1\n`],
      `${up}snmp_up{device="# TYPE x\\n# HELP"} 1\nsnmp_up{device="# EOF"} 1\n`,
    ],
  ];
  for (const [title, texts, joined] of cases)
    it(title, () => {
      assert.equal(join(texts), joined);
      assert.equal(join(texts, true), joined);
    });

  it('have a series once when a device moved between two of them', () => {
    const texts = [
      `${up}snmp_up{device="a",note="} 1"} 1 99\nsnmp_up 3\n`,
      `${up}snmp_up{device="a",note="} 1"} 0 98\nsnmp_up 4\nsnmp_up{device="b"} 1 98\n`,
    ];
    assert.equal(
      join(texts, true),
      `${up}snmp_up{device="a",note="} 1"} 1 99\nsnmp_up 3\nsnmp_up{device="b"} 1 98\n`,
    );
  });

  it('may get one more label', () => {
    assert.equal(
      labelExposition(`${up}snmp_up 1\nsnmp_up{device="x y{"} 2\n`, 'worker', 'worker-1'),
      `${up}snmp_up{worker="worker-1"} 1\nsnmp_up{worker="worker-1",device="x y{"} 2\n`,
    );
  });
});
