import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildCode } from '../support/built-code.ts';
import { printFigure } from '../support/figure.ts';

/** What `waywiser coverage` of a recording of 1.5 million values costs: a third of them collected, the others in two tables without a MIB. */
const rows = 50_000;
const tables = [
  { entry: '1.3.6.1.2.1.2.2.1', columns: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
  { entry: '1.3.6.1.4.1.32473.9.1.1', columns: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
  { entry: '1.3.6.1.4.1.32473.9.2.1', columns: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
];
const reportUse =
  'process.on("exit", () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage(); console.error(JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, megabytes: maxRSS / 1024 })); })';

const folder = mkdtempSync(join(tmpdir(), 'waywiser-bench-'));
try {
  const recording = join(folder, 'large.snmprec');
  for (const { entry, columns } of tables)
    for (const column of columns) appendColumn(recording, `${entry}.${column}`);
  buildCode();
  const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
  const args = [
    '--import',
    `data:text/javascript,${encodeURIComponent(reportUse)}`,
    main,
    'coverage',
    recording,
  ];
  const begun = performance.now();
  const { stderr, status } = spawnSync(execPath, args, { encoding: 'utf8', cwd: folder });
  if (status !== 0) throw new Error(stderr);
  const { cpuMs, megabytes } = JSON.parse(stderr.trim().split('\n').at(-1)!);
  printFigure('coverage of 1,500,000 values', {
    ms: Math.round(performance.now() - begun),
    cpuMs: Math.round(cpuMs),
    goalCpuMs: 5_000,
    megabytes: Math.round(megabytes),
    goalMegabytes: 200,
    reached: cpuMs <= 5_000 && megabytes <= 200,
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function appendColumn(file: string, column: string): void {
  const lines = Array.from({ length: rows }, (_, row) => `${column}.${row + 1}|65|${row * 977}\n`);
  appendFileSync(file, lines.join(''));
}
