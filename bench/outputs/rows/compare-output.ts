import { setTimeout as sleep } from 'node:timers/promises';
import { type Batch, type Plugin, pipelineToken, type Row, rowsOf } from '../../../src/index.ts';
import { importBuilt } from '../../support/built-code.ts';
import { printFigure } from '../../support/figure.ts';
import { createInterfaceBatches } from '../interface-batches.ts';
import { measureRowRate } from './row-rate.ts';

const batches = [...createInterfaceBatches(100)];
const rows = batches.reduce((sum, batch) => sum + batch.rows.count, 0);
/** Rare enough that checking costs nothing compared with the work. */
const lookEveryMs = 20;
const valuesARow = batches[0]!.columns.length;

/** One plain object per row, made before the measurement. */
export interface PlainRecord extends Row {
  readonly device: Batch['device'];
  readonly record: string;
  readonly slot: string;
}

export interface Yardstick {
  readonly name: string;
  readonly rowsPerCpuSecond: number;
}

/** The cost per row of the simplest way to send it. `send` waits until the records are accepted. */
export async function measureYardstick(
  name: string,
  send: (records: readonly PlainRecord[], round: number) => Promise<unknown>,
): Promise<Yardstick> {
  const records = batches.flatMap(describeRows);
  let round = 0;
  const rowsPerCpuSecond = await measureRowRate(async () => {
    await send(records, round++);
    return rows;
  });
  return { name, rowsPerCpuSecond };
}

export interface MeasuredOutput {
  readonly plugin: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Prints the CPU cost per row: from the columns through the built output to the server and its answer. */
export async function compareOutput(
  figure: string,
  measured: MeasuredOutput,
  yardstick: Yardstick,
): Promise<void> {
  const output = await startOutput(measured);
  let sequence = 0;
  const rowsPerCpuSecond = await measureRowRate(async () => {
    const poll = { sequence: ++sequence, slotMs: Date.now(), timeMs: Date.now() };
    await output.deliver(batches.map((batch) => ({ ...batch, ...poll })));
    return rows;
  });
  await output.stop();
  printFigure(figure, {
    rowsPerCpuSecond: Number(rowsPerCpuSecond.toPrecision(3)),
    valuesPerCpuSecond: Number((rowsPerCpuSecond * valuesARow).toPrecision(3)),
    yardstick: yardstick.name,
    yardstickRowsPerCpuSecond: Number(yardstick.rowsPerCpuSecond.toPrecision(3)),
    ratio: Number((rowsPerCpuSecond / yardstick.rowsPerCpuSecond).toFixed(2)),
  });
}

function describeRows(batch: Batch): PlainRecord[] {
  const { device, record, slotMs } = batch;
  const slot = new Date(slotMs).toISOString();
  return [...rowsOf(batch)].map((row) => ({ device, record, slot, ...row }));
}

async function startOutput({ plugin: name, options, env = {} }: MeasuredOutput) {
  const [{ startTestCollector }, { default: plugin }] = await Promise.all([
    importBuilt<typeof import('../../../src/testing/index.ts')>('src/testing/index.ts'),
    importBuilt<{ readonly default: Plugin }>(`plugins/outputs/${name}/index.ts`),
  ]);
  const tested = { plugin, options: { ...options, delivery: { group_wait_ms: 0 } } };
  const collector = await startTestCollector({ plugins: [tested], env, logLevel: 'warn' });
  const pipeline = collector.getService(pipelineToken);
  const counters = () => pipeline.counters.outputs[name]!;
  return {
    async deliver(group: readonly Batch[]) {
      for (const batch of group) pipeline.push(batch);
      while (counters().queued > 0) await sleep(lookEveryMs);
      const { dropped, retries } = counters();
      if (dropped + retries > 0) throw new Error(`not delivered: ${JSON.stringify(collector.logLines)}`);
    },
    stop: () => collector.stop(),
  };
}
