import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import snmpExporter from '../../../plugins/snmp-exporter/index.ts';
import poller from '../../../plugins/snmp-poller/index.ts';
import { compareOids } from '../../../src/model/oid.ts';
import { parseRecording, startReplayAgent } from '../../../src/testing/index.ts';
import { imported } from '../../import/support/imported.ts';
import { findFreePort } from '../../support/free-port.ts';
import { missingTool } from '../../support/needs.ts';
import { startApi } from '../http-api/support/api-stack.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';

env['EXPORTER_TEST_COMMUNITY'] = 'public';

const recording = fileURLToPath(new URL('../../recordings/switch.snmprec', import.meta.url));

/** YAML has numbers as keys here, which an object cannot have. */
const enumOf = (...names: readonly string[]) => new Map(names.map((name, i) => [i + 1, name]));

const ifEntry = '1.3.6.1.2.1.2.2.1';
const ifXEntry = '1.3.6.1.2.1.31.1.1.1';
const states = enumOf('up', 'down', 'testing', 'unknown', 'dormant', 'notPresent', 'lowerLayerDown');

const ifIndex = { indexes: [{ labelname: 'ifIndex', type: 'gauge' }] };
const lookup = (labelname: string, oid: string) => ({
  labels: ['ifIndex'],
  labelname,
  oid,
  type: 'DisplayString',
});
// Without ifAlias: the exporter refuses the whole scrape when one text is not UTF-8, as in this recording.
const ofInterface = {
  ...ifIndex,
  lookups: [lookup('ifName', `${ifXEntry}.1`), lookup('ifDescr', `${ifEntry}.2`)],
};
const metric = (name: string, oid: string, type: string, more: object = {}) => ({
  name,
  oid,
  type,
  help: `${name} of the interface - ${oid}`,
  ...more,
});

/** The module if_mib, in the form of the exporter that Debian has: credentials are a part of the module. */
const modules = {
  if_mib: {
    walk: ['1.3.6.1.2.1.2', '1.3.6.1.2.1.31.1.1', '1.3.6.1.2.1.17'],
    get: ['1.3.6.1.2.1.1.1.0', '1.3.6.1.2.1.1.2.0'],
    version: 2,
    auth: { community: 'public' },
    metrics: [
      metric('sysDescr', '1.3.6.1.2.1.1.1', 'DisplayString'),
      metric('ifNumber', '1.3.6.1.2.1.2.1', 'gauge'),
      metric('ifType_info', `${ifEntry}.3`, 'gauge', ofInterface),
      metric('ifMtu', `${ifEntry}.4`, 'gauge', ofInterface),
      metric('ifSpeed', `${ifEntry}.5`, 'gauge', ofInterface),
      metric('ifPhysAddress', `${ifEntry}.6`, 'PhysAddress48', ofInterface),
      metric('ifAdminStatus', `${ifEntry}.7`, 'gauge', { ...ofInterface, enum_values: states }),
      metric('ifOperStatus', `${ifEntry}.8`, 'EnumAsStateSet', { ...ofInterface, enum_values: states }),
      metric('ifInErrors', `${ifEntry}.14`, 'counter', ofInterface),
      metric('ifHCInOctets', `${ifXEntry}.6`, 'counter', ofInterface),
      metric('ifHCOutOctets', `${ifXEntry}.10`, 'counter', ofInterface),
      metric('ifHighSpeed', `${ifXEntry}.15`, 'gauge', ofInterface),
      metric('ifConnectorPresent', `${ifXEntry}.17`, 'EnumAsInfo', {
        ...ofInterface,
        enum_values: enumOf('true', 'false'),
      }),
      metric('dot1dTpFdbPort', '1.3.6.1.2.1.17.4.3.1.2', 'gauge', {
        indexes: [{ labelname: 'dot1dTpFdbAddress', type: 'PhysAddress48', fixed_size: 6 }],
      }),
    ],
  },
};

const rack = '1.3.6.1.4.1.32473.9.1.1';
const peer = '1.3.6.1.4.1.32473.9.2.1';
const outlet = '1.3.6.1.4.1.32473.9.3.1';
const outletIndexes = [
  { labelname: 'rackIndex', type: 'gauge' },
  { labelname: 'peerAddress', type: 'InetAddress' },
  { labelname: 'outletIndex', type: 'gauge' },
];
const rackName = { labels: ['rackIndex'], labelname: 'rackName', oid: `${rack}.2`, type: 'DisplayString' };
const peerName = { labels: ['peerAddress'], labelname: 'peerName', oid: `${peer}.2`, type: 'DisplayString' };
const outletName = {
  labels: ['rackIndex', 'peerAddress', 'outletIndex'],
  labelname: 'outletName',
  oid: `${outlet}.2`,
  type: 'DisplayString',
};

/** Tables whose metrics have other labels each, from other tables. */
const outlets = {
  walk: ['1.3.6.1.4.1.32473.9'],
  version: 2,
  auth: { community: 'public' },
  metrics: [
    metric('outletLoad', `${outlet}.4`, 'gauge', {
      indexes: outletIndexes,
      lookups: [rackName, peerName, outletName],
    }),
    metric('outletHours', `${outlet}.5`, 'counter', { indexes: outletIndexes }),
    metric('outletVolts', `${outlet}.6`, 'gauge', {
      indexes: outletIndexes,
      lookups: [outletName, { labels: [], labelname: 'peerAddress' }],
    }),
    metric('outletName', `${outlet}.2`, 'DisplayString', {
      indexes: outletIndexes,
      lookups: [rackName, outletName, { labels: [], labelname: 'rackIndex' }],
    }),
    metric('outletText', `${outlet}.7`, 'DisplayString', {
      indexes: outletIndexes,
      regex_extracts: {
        Amps: [{ regex: '([\\d.]+).*', value: '$1' }],
        Tenths: [{ regex: '(.*)(.)', value: '$1.$2' }],
      },
    }),
    metric('rackName', `${rack}.2`, 'DisplayString', {
      indexes: [{ labelname: 'rackIndex', type: 'gauge' }],
    }),
  ],
};

const outletRecording = [
  ['1.3.6.1.2.1.1.3.0', 67, 100],
  [`${rack}.2.1`, 4, 'north'],
  [`${rack}.2.2`, 4, 'south'],
  [`${peer}.2.1.4.192.0.2.1`, 4, 'peer-a'],
  ...['1.1.4.192.0.2.1.7', '2.1.4.192.0.2.1.7', '2.1.4.192.0.2.2.8', '3.1.4.192.0.2.1.9'].flatMap(
    (instance, i) => [
      [`${outlet}.2.${instance}`, 4, `outlet ${i}`],
      [`${outlet}.4.${instance}`, 66, 70 + i],
      [`${outlet}.5.${instance}`, 65, 100 + i],
      [`${outlet}.6.${instance}`, 2, 230 - i],
      [`${outlet}.7.${instance}`, 4, 2305 + 5 * i],
    ],
  ),
]
  .sort(([one], [other]) => compareOids(String(one), String(other)))
  .map((line) => `${line.join('|')}\n`)
  .join('');

async function startRealExporter(test: TestContext, config: string): Promise<number> {
  const port = await findFreePort();
  const child = spawn(
    'prometheus-snmp-exporter',
    [`--config.file=${config}`, `--web.listen-address=127.0.0.1:${port}`],
    { stdio: 'ignore' },
  );
  const exited = once(child, 'exit');
  test.after(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  while (child.exitCode === null) {
    if (
      await fetch(`http://127.0.0.1:${port}/`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return port;
    await sleep(50);
  }
  throw new Error('prometheus-snmp-exporter did not start');
}

/** Every series with its value, without those about the scrape. Names of labels are sorted. */
function seriesOf(text: string): Record<string, number> {
  const series: Record<string, number> = {};
  for (const line of text.split('\n')) {
    const [, name = '', labelText = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (value === undefined || name.startsWith('snmp_scrape_')) continue;
    // For Prometheus, an empty label is none.
    const labels = [...labelText.matchAll(/(\w+)="((?:[^"\\]|\\.)+)"/g)].map(
      ([, key, own]) => `${key}=${own}`,
    );
    series[`${name} ${labels.sort().join(' ')}`] = Number(value);
  }
  return series;
}

describe('GET /snmp of a module that was imported from snmp.yml', () => {
  it('has the series of snmp_exporter: names, labels and values', {
    skip: missingTool('prometheus-snmp-exporter'),
  }, async (test) => {
    const agents = {
      if_mib: await startReplayAgent({ recording }),
      outlets: await startReplayAgent({ recording: parseRecording(outletRecording) }),
    };
    for (const agent of Object.values(agents)) test.after(() => agent.close());
    const { directory, source, refused } = await imported(test, 'snmp-exporter', {
      'snmp.yml': stringify({ ...modules, outlets }),
    });
    assert.deepEqual(refused, []);
    const port = await startRealExporter(test, join(source, 'snmp.yml'));

    // What a person adds: the networks, and where the secret is.
    for (const name of ['autodiscover/networks.yml', 'defaults/device.yml']) {
      const text = readFileSync(join(directory, name), 'utf8')
        .replaceAll('networks: []', 'networks: [127.0.0.1/32]')
        .replace(/\$\{file:[^}]*\}/g, '${env:EXPORTER_TEST_COMMUNITY}');
      writeFileSync(join(directory, name), text);
    }
    const api = await startApi(test, new DefinitionFolder(test, {}, directory), {
      more: [{ plugin: poller, options: { health_every_s: 0 } }, { plugin: snmpExporter }],
    });

    for (const [module, agent] of Object.entries(agents)) {
      const query = `target=127.0.0.1:${agent.port}&module=${module}`;
      const theirs = await (await fetch(`http://127.0.0.1:${port}/snmp?${query}`)).text();
      const ours = await api.call('GET', `/snmp?${query}&auth=${module}`);
      assert.equal(ours.status, 200, ours.text);
      const expected = seriesOf(theirs);
      assert.ok(Object.keys(expected).length > (module === 'if_mib' ? 300 : 15), theirs.slice(0, 500));
      assert.deepEqual(seriesOf(ours.text), expected);
    }
  });
});
