import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { definitionsOf } from '../poller/bench-folder.ts';
import { alikeDevices, writeDefinitions } from '../poller/interface-definitions.ts';
import { buildCode } from '../support/built-code.ts';
import { printFigure } from '../support/figure.ts';
import { findFreePort, makeWorkshop, startFastAgent } from '../support/processes.ts';
import { serveProcess } from './exporter/served-process.ts';

/**
 * What a real Prometheus makes of counters that grow evenly, at scrapes that have nothing to do with the polls: how wrong `rate()` is at
 * worst, and how many points of the graph are missing. It is looked at twice: as a graph of the past, and by recording rules while it
 * happens. `MINUTES=5` measures for a shorter time.
 */
const minutes = Number(env['MINUTES'] ?? 30);
const scrapeSeconds = [15, 30, 60, 90];
/** By number: two devices are polled every minute, one every five. */
const pollSeconds = [60, 60, 300];
/** Of every counter of the agent that is looked at, per second. */
const [metric, perSecond] = ['snmp_netif_if_x6_total', 100_000];
const windows = ['5m', '10m'];
/** Until a counter was polled twice, and a window of it is full. */
const settleMinutes = { 60: 12, 300: 22 };
const goal = 0.01;

async function writeCollector(folder: string, agentPort: number, port: number): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const devices = pollSeconds.flatMap((everySeconds, i) => {
    const [device] = alikeDevices(i + 1, agentPort, everySeconds).slice(i);
    return [device!];
  });
  writeDefinitions(folder, devices);
  const configuration = {
    state_directory: join(folder, 'state'),
    log_level: 'warn',
    plugins: {
      'definitions-loader': { directories: [definitionsOf(folder)] },
      'device-registry': {},
      'snmp-client': {},
      'snmp-discovery': {},
      'snmp-poller': {},
      'http-routes': {},
      prometheus: { port },
    },
  };
  const file = join(folder, 'waywiser.yml');
  writeFileSync(file, JSON.stringify(configuration));
  return file;
}

/** A job for each interval, and rules that compute the rates at once. */
function writePrometheus(folder: string, target: string): string {
  const jobs = scrapeSeconds.map(
    (seconds) =>
      `- { job_name: every-${seconds}s, scrape_interval: ${seconds}s, static_configs: [{ targets: ['${target}'] }] }`,
  );
  const rules = windows.map(
    (window) => `  - { record: 'live:${window}', expr: 'rate(${metric}[${window}])' }`,
  );
  const rulesFile = join(folder, 'rules.yml');
  writeFileSync(rulesFile, `groups:\n- name: rates\n  interval: 15s\n  rules:\n${rules.join('\n')}\n`);
  const file = join(folder, 'prometheus.yml');
  writeFileSync(file, `rule_files: ['${rulesFile}']\nscrape_configs:\n${jobs.join('\n')}\n`);
  return file;
}

interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [number, string])[];
}

async function queryRange(url: string, query: string, fromSeconds: number, toSeconds: number, step: number) {
  const parameters = new URLSearchParams({
    query,
    start: String(fromSeconds),
    end: String(toSeconds),
    step: String(step),
  });
  const answer = await fetch(`${url}/api/v1/query_range?${parameters}`);
  const { data } = (await answer.json()) as { data: { result: Series[] } };
  return data.result;
}

/** The worst error of any point, and the part of the points that is missing. */
function judge(series: readonly Series[], expected: number) {
  const errors = series.flatMap(({ values }) =>
    values.map(([, value]) => Math.abs(Number(value) / perSecond - 1)),
  );
  return { worstError: Number(Math.max(...errors).toFixed(5)), gaps: 1 - errors.length / expected };
}

buildCode();
const workshop = makeWorkshop();
const rows = 4;
const agent = await startFastAgent(workshop.folder, rows);
const port = await findFreePort();
const collectorFile = await writeCollector(join(workshop.folder, 'collector'), agent.port, port);
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const url = `http://127.0.0.1:${port}`;
const collector = await serveProcess(execPath, [main, 'start', '--config', collectorFile], url, '/metrics');
const prometheusPort = await findFreePort();
const prometheusUrl = `http://127.0.0.1:${prometheusPort}`;
const prometheus = await serveProcess(
  'prometheus',
  [
    `--config.file=${writePrometheus(workshop.folder, `127.0.0.1:${port}`)}`,
    `--storage.tsdb.path=${join(workshop.folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${prometheusPort}`,
    '--log.level=error',
  ],
  prometheusUrl,
  '/-/ready',
);
try {
  const begun = Date.now() / 1_000;
  await sleep((Math.max(...Object.values(settleMinutes)) + minutes) * 60_000);
  const end = Date.now() / 1_000;
  for (const seconds of scrapeSeconds) {
    for (const window of windows) {
      for (const [poll, settle] of Object.entries(settleMinutes)) {
        const devices = pollSeconds.flatMap((each, i) => (each === Number(poll) ? [`d${i}`] : []));
        const labels = `{job="every-${seconds}s",device=~"${devices.join('|')}"}`;
        const from = begun + settle * 60;
        const count = (step: number) => (Math.floor((end - from) / step) + 1) * devices.length * rows;
        const graph = await queryRange(prometheusUrl, `rate(${metric}${labels}[${window}])`, from, end, 5);
        const live = await queryRange(
          prometheusUrl,
          `last_over_time(live:${window}${labels}[15s])`,
          from,
          end,
          15,
        );
        const [drawn, recorded] = [judge(graph, count(5)), judge(live, count(15))];
        printFigure(`rate()[${window}] of polls every ${poll} s, scraped every ${seconds} s`, {
          graph: drawn,
          rules: recorded,
          goal,
          reached: [drawn, recorded].every(({ worstError, gaps }) => worstError <= goal && gaps <= 0),
        });
      }
    }
  }
} finally {
  await prometheus.stop();
  await collector.stop();
  agent.process.kill();
  workshop.remove();
}
