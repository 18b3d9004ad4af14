import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { DefinitionEngine } from '../../plugins/definitions-loader/worker/definition-engine.ts';
import { CollectorProcess } from '../cli/support/collector-process.ts';
import { startHttpProgram } from '../plugins/outputs/support/http-program.ts';
import { onlyLong } from '../support/long-run.ts';
import { missingTool } from '../support/needs.ts';
import { until } from '../support/until.ts';
import { copyDemonstration } from './support/example-copy.ts';

function readDevices(): Iterable<string> {
  const text = readFileSync('examples/demo/definitions/devices/demo.yml', 'utf8');
  return [...text.matchAll(/^([\w-]+): \{/gm)].map(([, name]) => name!);
}

describe('the demonstration', () => {
  const afterwards: (() => void)[] = [];
  const collector = new CollectorProcess({ after: (undo: () => void) => void afterwards.push(undo) });
  let base: string;

  before(async () => {
    base = `http://127.0.0.1:${await copyDemonstration(collector)}`;
    // Without coverage, whose report it would write before it ends.
    collector.run(['start'], { NODE_V8_COVERAGE: '' });
    await collector.reads('The collector is ready.');
  });
  after(() => {
    for (const undo of afterwards) undo();
  });

  const prints = async (text: string) => {
    while (!collector.stdout.includes(text)) await once(collector.output, 'data');
  };
  const get = async (path: string) => (await fetch(base + path)).text();

  it('has definitions without errors', () => {
    const directories = ['definitions', 'examples/demo/definitions'];
    const report = new DefinitionEngine({}).read({ directories }, 'examples/demo/secrets');
    assert.deepEqual(report.problems, []);
    assert.equal(report.counts.devices, 12);
  });

  it('has an entry for each of its devices', () => {
    const portsIn = (path: string) =>
      [...readFileSync(path, 'utf8').matchAll(/port: (\d+)/g)].map(([, port]) => port);
    assert.deepEqual(
      portsIn('examples/demo/devices.js'),
      portsIn('examples/demo/definitions/devices/demo.yml'),
    );
  });

  it('serves values of every device except the one that never answers', async () => {
    const answered = new Set<string>();
    for (let tries = 0; answered.size < 11 && tries < 300; tries++, await delay(100)) {
      const polled = (await get('/api/v1/snmp/metrics')).matchAll(
        /[{,]device="([^"]+)",.*object="(?!waywiser::)/g,
      );
      for (const [, device] of polled) answered.add(device!);
    }
    const living = ['host-1', 'host-2', 'host-3', 'printer-1', 'router-1', 'router-2'];
    living.push('sensors-1', 'switch-1', 'switch-2', 'switch-3', 'ups-1');
    assert.deepEqual([...answered].sort(), living);
  });

  it('serves which devices are up, also that the silent one is down', async () => {
    const states = new Map<string, string>();
    for (let tries = 0; states.size < 12 && tries < 300; tries++, await delay(100)) {
      const samples = (await get('/api/v1/snmp/metrics?object=waywiser::device')).matchAll(
        /^snmp_up\{device="([^"]+)".*\} (\d)$/gm,
      );
      for (const [, device, up] of samples) states.set(device!, up!);
    }
    assert.equal(states.size, 12);
    assert.equal(states.get('printer-2'), '0');
    assert.equal(states.get('switch-1'), '1');
  });

  it('receives traps on a port that the system chooses', async () => {
    const { listeners } = JSON.parse(await get('/api/v1/snmp/traps/statistics'));
    assert.equal(listeners.length, 1);
    assert.ok(listeners[0].port > 1024);
  });

  it('prints the address of the page first', async () => {
    await prints('A dozen made-up devices');
    const [, address] = /^\s*Open (\S+) in a browser\./.exec(collector.stdout) ?? [];
    assert.equal(address, `${base}/`);
    const page = await fetch(address!);
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    await page.text();
  });

  it('begins with an hour of past, and says that it is made up', async () => {
    const names = ['device=switch-1', 'record=IF-MIB::ifEntry', 'row=netif.name=ge-0/1'];
    const path = `/api/v1/history?${names.join('&')}&field=netif.bytes.in_rate&from=-61m`;
    const ask = async () => JSON.parse(await get(path));
    // The interfaces of a device may be polled after its other objects.
    await until(async () => {
      const { times, madeUp } = await ask();
      return times.at(-1) > madeUp?.to;
    });
    const { times, series, madeUp } = await ask();
    assert.ok(madeUp.to - madeUp.from > 3_500_000 && madeUp.to < Date.now(), JSON.stringify(madeUp));
    const values = times.flatMap((ms: number, i: number) => (ms <= madeUp.to ? [series[0].values[i]] : []));
    assert.equal(values.length, 120);
    const rates = values.slice(1);
    // What is polled goes on where the past ends.
    const first = series[0].values[times.findIndex((ms: number) => ms > madeUp.to)];
    for (const rate of [...rates, first]) assert.ok(rate > 100_000 && rate < 125_000_000, `${rate} B/s`);
    assert.ok(new Set(rates).size > 60, 'the rates differ');
  });

  it('prints the first values of every device once, as a table without colours', async () => {
    await prints('Ctrl-C stops it.');
    const [, table = ''] = /The first values[^\n]*\n\n(.*?)\n\n/s.exec(collector.stdout) ?? [];
    const [header, ...rows] = table.split('\n');
    assert.match(header ?? '', /^device +interface +state +in +out +other value$/);
    assert.deepEqual(
      rows.map((row) => row.split(' ')[0]),
      [...readDevices()].sort(),
    );
    const rowOf = (device: string) => rows.find((row) => row.startsWith(device)) ?? '';
    // Which interface is the busiest changes from poll to poll.
    assert.match(rowOf('switch-1'), /^switch-1 +\S+ +up +\d\S* [kMG]bit\/s +\d\S* [kMG]bit\/s/);
    for (const row of rows) assert.doesNotMatch(row, / down +[1-9]/, 'no traffic where the link is down');
    assert.match(rowOf('host-3'), / [34](\.\d)? Gbit\/s /, 'half a gigabyte per second');
    assert.match(rowOf('ups-1'), /battery at \d+ %$/);
    assert.match(rowOf('printer-2'), / does not answer$/);
    for (const row of rows) assert.ok(row.length <= 80, row);
    assert.ok(!collector.stdout.includes('\u001b'));
    assert.equal(collector.stdout.split('The first values').length, 2);
  });

  it('prints commands that work', async () => {
    await prints('Ctrl-C stops it.');
    const commands = [...collector.stdout.matchAll(/curl (http:\/\/127\.0\.0\.1:\d+)(\S+)/g)];
    assert.equal(commands.length, 2);
    for (const [, address, path] of commands) {
      assert.equal(address, base);
      const answer = await fetch(base + path);
      assert.equal(answer.status, 200, path);
      // An unread answer keeps its connection open, and the stop waits for it.
      await answer.text();
    }
    const file = join(collector.folder, 'definitions/devices/demo.yml');
    const switches = /device_groups: \[auto\], tags: \{ site: hall-1 \}/;
    writeFileSync(file, readFileSync(file, 'utf8').replace(switches, 'device_groups: [host]'));
    const apply = await fetch(`${base}/api/v1/snmp/apply-definitions?force_rediscovery=true`, {
      method: 'POST',
    });
    const { rediscovering } = (await apply.json()) as { rediscovering: readonly { name: string }[] };
    assert.deepEqual(
      rediscovering.map(({ name }) => name),
      ['switch-1'],
    );
  });

  it('fills every panel of the dashboard, and has every metric of the alerts', {
    skip: missingTool('prometheus'),
  }, async () => {
    await using server = await startHttpProgram({
      command: 'prometheus',
      readyPath: '/-/ready',
      prepare: (port, folder) => {
        const config = readFileSync('examples/prometheus/prometheus.yml', 'utf8');
        const file = join(folder, 'prometheus.yml');
        copyFileSync('examples/prometheus/alerts.yml', join(folder, 'alerts.yml'));
        const faster = config.replace('scrape_interval: 30s', 'scrape_interval: 500ms');
        writeFileSync(file, faster.replaceAll('127.0.0.1:8080', base.slice('http://'.length)));
        return [
          `--config.file=${file}`,
          `--web.listen-address=127.0.0.1:${port}`,
          '--storage.tsdb.path=data',
        ];
      },
    });
    const ask = async (query: string) => {
      const response = await fetch(`${server.url}/api/v1/query?query=${encodeURIComponent(query)}`);
      const answer = (await response.json()) as PrometheusAnswer;
      assert.equal(answer.status, 'success', `${query}: ${answer.error}`);
      return answer.data.result;
    };
    const alerts = readFileSync('examples/prometheus/alerts.yml', 'utf8');
    const metrics = new Set(alerts.match(/\b(?:snmp|waywiser)_\w+/g));
    const queries = [...dashboardQueries(), ...metrics];
    assert.ok(queries.length > 15);
    for (const query of queries) {
      // A panel that only shows trouble is empty while there is none. Then each of its metrics must exist.
      const parts = /> 0\)?$/.test(query) ? [...new Set(query.match(/\b(?:snmp|waywiser)_\w+/g))] : [query];
      for (const part of parts) {
        for (let tries = 0; (await ask(part)).length === 0; tries++, await delay(100)) {
          assert.ok(tries < 200, `${part} stays empty`);
        }
      }
    }
  });

  it('stops in order on SIGINT', async () => {
    collector.kill('SIGINT');
    assert.equal(await collector.exit, 0, collector.stderr);
    assert.match(collector.stderr, /The collector has stopped/);
  });

  it('makes up no past at the next start, and keeps the first one marked', { skip: onlyLong }, async () => {
    const path = '/api/v1/history?device=switch-1&record=sensor&field=sensor.value&from=-2h';
    collector.stderr = '';
    collector.run(['start'], { NODE_V8_COVERAGE: '' });
    await collector.reads('The collector is ready.');
    const { times, madeUp } = JSON.parse(await get(path));
    assert.equal(times.filter((ms: number) => ms <= madeUp.to).length, 120);
    collector.kill('SIGINT');
    assert.equal(await collector.exit, 0, collector.stderr);
  });
});

interface PrometheusAnswer {
  readonly status: string;
  readonly error?: string;
  readonly data: { readonly result: readonly unknown[] };
}

/** The expressions of all panels, with Grafana's variables filled in. */
function dashboardQueries(): string[] {
  const { panels } = JSON.parse(readFileSync('examples/prometheus/dashboard.json', 'utf8')) as {
    readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
  };
  return panels
    .flatMap(({ targets = [] }) => targets)
    .map(({ expr }) => expr.replaceAll('$device', '.*').replace(/\$__(rate_)?interval/g, '10s'));
}
