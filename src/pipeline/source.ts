import {
  checkDefinition,
  type DefinitionKeys,
  definitionRules as rules,
} from '../kernel/definition-check.ts';
import {
  type CheckContext,
  definePlugin,
  type NeededServices,
  type Needs,
  type Plugin,
  type PluginContext,
} from '../kernel/plugin.ts';
import type { DeviceRef } from '../model/device.ts';
import type { Static, TObject } from '../typebox.ts';
import { buildColumns, type FieldDeclaration, type RowInput } from './batch-rows.ts';
import { type Pipeline, pipelineToken } from './pipeline.ts';

export interface SourceDefinition<Schema extends TObject, N extends Needs> {
  readonly name: string;
  /** One sentence for `waywiser plugins`. */
  readonly summary: string;
  readonly options?: Schema;
  readonly needs?: N;
  /**
   * Fields whose values alone do not say enough, by their record: a counter, a unit, or one that a batch may lack
   * altogether. All others follow from the values that are pushed.
   */
  readonly fields?: Readonly<Record<string, Readonly<Record<string, FieldDeclaration>>>>;
  /** Called by `waywiser check`. Throws what `open` would refuse beyond the schema of the options; has no effect. */
  check?(context: CheckContext<Static<Schema>>): void | Promise<void>;
  /** Called once at start, when every output is ready. Must throw when the source cannot work. */
  open(context: SourceContext<Static<Schema>, NeededServices<N>>): void | Promise<void>;
}

/** What a source is opened with: everything that a plugin gets, and what it measures with. */
export interface SourceContext<Options = unknown, Services = Readonly<Record<string, unknown>>>
  extends PluginContext<Options, Services> {
  /**
   * Sends rows to every output, or to those named. Never waits and never throws: a slow output delays no source. Does
   * nothing once the plugin is stopping.
   */
  push(measured: Measured, outputs?: ReadonlySet<string>): void;
  /**
   * Calls `measure` now and at each interval until the plugin stops, with the time of the call in milliseconds since 1970.
   * A call is left out while the previous one still runs, and while the full queue of an output asks sources to pause. One
   * that throws or rejects is logged; the next call comes at its usual time.
   */
  every(intervalMs: number, measure: (slotMs: number) => void | Promise<void>): void;
}

/** Rows of one record, measured on one device at one time. */
export interface Measured {
  readonly device: DeviceRef;
  /** What the rows describe: a table in PostgreSQL, a measurement in InfluxDB. */
  readonly record: string;
  readonly rows: readonly RowInput[];
  /** Tags of the device, on every row. */
  readonly tags?: Readonly<Record<string, string>>;
  /** When the measurement was due, in milliseconds since 1970; now by default. */
  readonly slotMs?: number;
  /** When the counters of the device began, in milliseconds since 1970; the same until they begin again. */
  readonly startedMs?: number;
  /** What `sequence` of the batches counts for; the name of the plugin instance by default. */
  readonly plan?: string;
  /** `event`: something that happened. Outputs that keep the latest numbers do not receive it. */
  readonly kind?: 'event';
  /** The generation of the definitions that the rows follow; 1 by default. */
  readonly generation?: number;
}

const definitionKeys: DefinitionKeys = {
  name: { rule: rules.name, isRequired: true },
  summary: { rule: rules.text, isRequired: true },
  options: { rule: rules.options() },
  needs: { rule: rules.needs },
  fields: { rule: rules.fields },
  check: { rule: rules.aFunction },
  open: { rule: rules.aFunction, isRequired: true },
};

/** Makes a source plugin: one that measures, with SNMP or without, and pushes rows. */
export function defineSource<
  Schema extends TObject = TObject<Record<never, never>>,
  const N extends Needs = Record<never, never>,
>(definition: SourceDefinition<Schema, N>): Plugin {
  checkDefinition('defineSource', definition, definitionKeys);
  const { name, summary, options, needs, fields = {} } = definition;
  return definePlugin({
    name,
    kind: 'source',
    summary,
    ...(options === undefined ? {} : { options }),
    needs: { ...needs, pipeline: pipelineToken },
    check: (context) => definition.check?.(context as never),
    start(context) {
      const { pipeline } = context.needs as { readonly pipeline: Pipeline };
      return definition.open({
        ...(context as unknown as PluginContext<Static<Schema>, NeededServices<N>>),
        push: createPush(context, pipeline, fields),
        every: (intervalMs, measure) => repeat(intervalMs, measure, context, pipeline),
      });
    },
  });
}

function createPush(
  { name, signal }: Pick<PluginContext, 'name' | 'signal'>,
  pipeline: Pipeline,
  fields: NonNullable<SourceDefinition<TObject, Needs>['fields']>,
): SourceContext['push'] {
  let sequence = 0;
  return (measured, outputs) => {
    const {
      device,
      record,
      rows,
      tags = {},
      slotMs,
      startedMs,
      kind,
      plan = name,
      generation = 1,
    } = measured;
    if (signal.aborted) return;
    const timeMs = Date.now();
    const more = {
      ...(startedMs === undefined ? {} : { startedMs }),
      ...(kind === undefined ? {} : { kind }),
    };
    const head = { device, tags, record, plan, generation, sequence: sequence++, ...more };
    pipeline.push(
      { ...head, slotMs: slotMs ?? timeMs, timeMs, ...buildColumns(rows, fields[record]) },
      outputs,
    );
  };
}

function repeat(
  intervalMs: number,
  measure: (slotMs: number) => void | Promise<void>,
  { log, onStop }: Pick<PluginContext, 'log' | 'onStop'>,
  pipeline: Pipeline,
): void {
  let isMeasuring = false;
  const run = async () => {
    if (isMeasuring || pipeline.isPaused) return;
    isMeasuring = true;
    try {
      await measure(Date.now());
    } catch (error) {
      log.error({ error }, 'The measurement failed.');
    } finally {
      isMeasuring = false;
    }
  };
  const timer = setInterval(run, intervalMs);
  onStop(() => clearInterval(timer));
  void run();
}
