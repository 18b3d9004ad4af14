import { type Static, type TObject, Type } from '../typebox.ts';
import { checkDefinition, type DefinitionKeys, definitionRules as rules } from './definition-check.ts';
import type { EventBus } from './event-bus.ts';
import type { Logger } from './logger.ts';
import { type PluginKind, pluginKinds } from './plugin-kind.ts';
import type { AnyServiceToken, ServiceOf, ServiceToken } from './service-token.ts';

export { type PluginKind, pluginKinds } from './plugin-kind.ts';

export type Needs = Readonly<Record<string, AnyServiceToken>>;
export type NeededServices<N extends Needs> = { readonly [Key in keyof N]: ServiceOf<N[Key]> };

/** What `start` receives. Everything in it ends with the plugin. */
export interface PluginContext<Options = unknown, Services = Readonly<Record<string, unknown>>> {
  /** This instance's name: the plugin's own, or `plugin/instance`. */
  readonly name: string;
  /** Checked against the plugin's schema, defaults filled in, secrets resolved, frozen. */
  readonly options: Options;
  /** The services that the plugin names in `needs`, under the same keys. They run until this plugin has stopped. */
  readonly needs: Services;
  /** Listeners added here are removed when the plugin stops. */
  readonly events: EventBus;
  /** Every line carries the name of this instance. */
  readonly log: Logger;
  readonly collector: CollectorFacts;
  /** Aborts when this plugin must stop, also when its start exceeds its deadline. */
  readonly signal: AbortSignal;
  /**
   * Registers how to undo a step that was just taken. Undo steps run last-in-first-out at stop, each exactly once, also when
   * `start` fails halfway. A step that throws is reported; the others still run.
   */
  onStop(undo: () => void | Promise<void>): void;
}

/** A plugin that needs a service, as the provider sees it. */
export interface ServiceUser {
  /** The name of the instance. */
  readonly name: string;
  readonly isBuiltIn: boolean;
}

/** What `check` receives: the part of a plugin's context that exists without a start. */
export interface CheckContext<Options = unknown>
  extends Pick<PluginContext<Options>, 'name' | 'options' | 'log'> {
  readonly collector: Omit<CollectorFacts, 'describe'>;
  /** The names of the outputs in the configuration. */
  readonly outputs: readonly string[];
  /** Those of them that receive batches of the kind `event`. */
  readonly eventOutputs: readonly string[];
  /** Those of them whose plugins do not say whether they receive such batches: they do. */
  readonly undeclaredOutputs: readonly string[];
  /** Reports something that does not prevent a start. */
  warn(problem: Error): void;
}

/** Facts about the whole collector. Paths are absolute. */
export interface CollectorFacts {
  readonly instance: string;
  readonly version: string;
  /** Where relative paths of the configuration start. */
  readonly directory: string;
  readonly stateDirectory: string;
  /** Where `${file:name}` references are looked up; undefined when none is configured. */
  readonly secretsDirectory: string | undefined;
  /** The plugins of the running collector, with their states and start times. */
  describe(): CollectorDescription;
}

export interface CollectorDescription {
  readonly bootMs: number;
  readonly plugins: readonly PluginDescription[];
}

export interface PluginDescription {
  readonly name: string;
  readonly plugin: string;
  readonly kind: PluginKind;
  readonly state: PluginState;
  /** The instances whose services this one uses. */
  readonly needs: readonly string[];
  readonly provides: string | undefined;
  readonly startMs: number;
  readonly listenerFailures: number;
  /** As the plugin received them. Declared secrets print as `***`; hide values that only the plugin knows to be secret. */
  readonly options: unknown;
  /** Where its options come from, by name: `configuration`, `default`, or the name of an environment variable. */
  readonly origins: Readonly<Record<string, string>>;
}

export type PluginState = 'waiting' | 'starting' | 'started' | 'stopping' | 'stopped' | 'failed';

export interface PluginDefinition<Schema extends TObject, N extends Needs, Provided> {
  /** Kebab-case; the name under `plugins:` in the configuration. */
  readonly name: string;
  readonly kind: PluginKind;
  /** One sentence for `waywiser plugins`. */
  readonly summary: string;
  /** Gives type, default, check, documentation and editor completion; unknown keys are errors. */
  readonly options?: Schema;
  readonly needs?: N;
  readonly provides?: ServiceToken<Provided>;
  /**
   * A start that takes longer has failed, and its signal aborts. 30,000 ms by default. On Linux, time in which a busy host lets the
   * process wait for a processor does not count, here and for the stop.
   */
  readonly startTimeoutMs?: number;
  /** All undo steps together; the stop continues with the next plugin after that. 10,000 ms by default. */
  readonly stopTimeoutMs?: number;
  /** Called by `waywiser check`. Throws what `start` would refuse beyond the schema of the options; has no effect. */
  check?(context: CheckContext<Static<Schema>>): void | Promise<void>;
  /** Called once per start of the collector, after everything in `needs` has started. Returns the service that the plugin provides. */
  start(
    context: PluginContext<Static<Schema>, NeededServices<N>>,
  ): NoInfer<Provided> | Promise<NoInfer<Provided>>;
  /** Returns what `user` receives as the service. Called for each plugin that needs it; without this function all receive the same. */
  viewFor?(service: NoInfer<Provided>, user: ServiceUser): NoInfer<Provided>;
}

/** A plugin without its type parameters, with its defaults filled in. */
export interface Plugin {
  readonly name: string;
  readonly kind: PluginKind;
  readonly summary: string;
  readonly options: TObject;
  readonly needs: Needs;
  readonly provides: AnyServiceToken | undefined;
  readonly startTimeoutMs: number;
  readonly stopTimeoutMs: number;
  /** The address of the module that made the plugin: it belongs to the plugin's own copy of this package. */
  readonly madeBy?: string;
  /** Undefined in plugins made by an earlier version of the package. */
  check?(context: CheckContext): unknown;
  start(context: PluginContext): unknown;
  readonly viewFor?: ((service: unknown, user: ServiceUser) => unknown) | undefined;
}

const definitionKeys: DefinitionKeys = {
  name: { rule: rules.name, isRequired: true },
  kind: { rule: rules.kind, isRequired: true },
  summary: { rule: rules.text, isRequired: true },
  options: { rule: rules.options() },
  needs: { rule: rules.needs },
  provides: { rule: rules.token },
  startTimeoutMs: { rule: rules.duration },
  stopTimeoutMs: { rule: rules.duration },
  check: { rule: rules.aFunction },
  start: { rule: rules.aFunction, isRequired: true },
  viewFor: { rule: rules.aFunction },
};

/** Makes a plugin: a frozen value. Nothing runs before the kernel calls `start`. Throws for a definition that no plugin can be made from. */
export function definePlugin<
  Schema extends TObject = TObject<Record<never, never>>,
  const N extends Needs = Record<never, never>,
  Provided = void,
>(definition: PluginDefinition<Schema, N, Provided>): Plugin {
  checkDefinition('definePlugin', definition, definitionKeys);
  return Object.freeze({
    name: definition.name,
    kind: definition.kind,
    summary: definition.summary,
    options: definition.options ?? Type.Object({}),
    needs: definition.needs ?? {},
    provides: definition.provides,
    startTimeoutMs: definition.startTimeoutMs ?? 30_000,
    stopTimeoutMs: definition.stopTimeoutMs ?? 10_000,
    madeBy: import.meta.url,
    check: (context: CheckContext) => definition.check?.(context as never),
    start: (context: PluginContext) => definition.start(context as never),
    viewFor: definition.viewFor as Plugin['viewFor'],
  });
}

/** Whether `value` has the shape that `definePlugin` gives: true for plugins made by another copy of the package too. */
export function isPlugin(value: unknown): value is Plugin {
  if (typeof value !== 'object' || value === null) return false;
  const { name, kind, options, needs, start } = value as Partial<Plugin>;
  return (
    typeof name === 'string' &&
    pluginKinds.includes(kind as PluginKind) &&
    typeof options === 'object' &&
    typeof needs === 'object' &&
    typeof start === 'function'
  );
}
