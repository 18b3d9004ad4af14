import {
  checkDefinition,
  type DefinitionKeys,
  definitionRules as rules,
} from '../kernel/definition-check.ts';
import { EventExchange } from '../kernel/event-bus.ts';
import { type CheckContext, definePlugin, type NeededServices, type Needs } from '../kernel/plugin.ts';
import type { ServiceToken } from '../kernel/service-token.ts';
import { type Static, type TObject, Type } from '../typebox.ts';
import { deliverySchema, maxDrainMs, queueOptions, threadOptions } from './delivery-settings.ts';
import type { OutputContext, OutputPlugin, OutputWriter } from './output-writer.ts';
import { pipelineToken } from './pipeline.ts';

export interface OutputDefinition<Schema extends TObject, N extends Needs, Provided = unknown> {
  readonly name: string;
  readonly summary: string;
  /** The options of this output. Those of every output (`queue`, `disk_queue`, `delivery`) are added. */
  readonly options?: Schema;
  readonly needs?: N;
  /** The service of the output: `open` returns it as `service`. Not for an output that can run in a thread. */
  readonly provides?: ServiceToken<Provided>;
  /**
   * `import.meta.url` of the module whose default export this output is. It adds the option `thread`, which runs the output in a separate
   * thread. Only for an output that needs no services.
   */
  readonly module?: string;
  /** As in `definePlugin`. By default nothing is checked, or, with `opensLater`, that `open` works. */
  check?(context: CheckContext<Static<Schema>>): void | Promise<void>;
  /** Set it when `open` has no effect outside the process, because the output connects with the first `write`. */
  readonly opensLater?: boolean;
  /** Whether it writes the increase per second of each counter, in fields that end with `_rate`. They are computed only for such outputs. */
  readonly rates?: boolean;
  /**
   * `false` for an output that keeps the latest numbers: it receives no batch of the kind `event`. A function where that depends on the
   * options. By default `true`, and `waywiser check` asks for it when such batches would come.
   */
  readonly events?: boolean | ((options: Static<Schema>) => boolean);
  /**
   * Called once at start, and again after its thread has ended. Must throw when the output cannot work: a port in use, a missing file. A
   * server that cannot be reached is not such a case, because it may come back.
   */
  open(
    context: OutputContext<Static<Schema>, NeededServices<N>>,
  ): OutputWriter<NoInfer<Provided>> | Promise<OutputWriter<NoInfer<Provided>>>;
}

const definitionKeys: DefinitionKeys = {
  name: { rule: rules.name, isRequired: true },
  summary: { rule: rules.text, isRequired: true },
  options: { rule: rules.options([...Object.keys({ ...threadOptions, ...queueOptions }), 'delivery']) },
  needs: { rule: rules.needs },
  provides: { rule: rules.token },
  module: { rule: rules.moduleUrl },
  check: { rule: rules.aFunction },
  opensLater: { rule: rules.aFlag },
  rates: { rule: rules.aFlag },
  events: { rule: rules.flagOrFunction },
  open: { rule: rules.aFunction, isRequired: true },
};

/**
 * Makes an output plugin. It adds everything that outputs have in common: a bounded queue in memory or on the disk, groups, retries with
 * growing pauses, counters of drops, a file for refused batches, and a drain at stop.
 */
export function defineOutput<
  Schema extends TObject = TObject<Record<never, never>>,
  const N extends Needs = Record<never, never>,
  Provided = unknown,
>(definition: OutputDefinition<Schema, N, Provided>): OutputPlugin {
  checkDefinition('defineOutput', definition, definitionKeys);
  const { name, summary, options: ownOptions, module, rates = false, events = true, provides } = definition;
  const open = (context: OutputContext) => definition.open(context as never);
  const takesEvents = (given: unknown) =>
    typeof events === 'boolean' ? events : events(given as Static<Schema>);
  const plugin = definePlugin({
    name,
    kind: 'output',
    summary,
    options: Type.Object({
      ...ownOptions?.properties,
      ...(module === undefined ? {} : threadOptions),
      ...queueOptions,
      delivery: deliverySchema,
    }),
    needs: { ...definition.needs, pipeline: pipelineToken },
    ...(provides === undefined ? {} : { provides: provides as ServiceToken<unknown> }),
    stopTimeoutMs: maxDrainMs + 5_000,
    async check(context) {
      await definition.check?.(context as never);
      if (definition.opensLater === true) await openOnce(context, open);
    },
    async start(context) {
      // A plugin that is no output does not load what outputs work with.
      const { startOutput } = await import('./start-output.ts');
      return startOutput({ module, open, takesEvents, rates }, context);
    },
  });
  const declaresEvents = definition.events !== undefined;
  return Object.freeze({ ...plugin, open, takesEvents, declaresEvents });
}

/** Opens an output that does nothing before its first `write`, and closes it. */
async function openOnce(context: CheckContext, open: OutputPlugin['open']): Promise<void> {
  const events = new EventExchange(context.log).open(context.name).bus;
  const { signal } = new AbortController();
  const writer = await open({ ...context, events, signal, needs: {}, queuedBatches: () => 0 });
  await writer.close?.();
}
