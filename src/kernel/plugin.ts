import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Logger } from 'pino';
import type { EventBus } from './event-bus.ts';
import type { AnyServiceToken, ServiceOf, ServiceToken } from './service-token.ts';

/** Boot goes from left to right, stop from right to left: sources fall silent, queues drain, services close. */
export const pluginKinds = ['service', 'output', 'processor', 'source', 'api'] as const;
export type PluginKind = (typeof pluginKinds)[number];

export type Needs = Readonly<Record<string, AnyServiceToken>>;
export type NeededServices<N extends Needs> = { readonly [Key in keyof N]: ServiceOf<N[Key]> };

/** What the kernel hands to `start`. Everything in it ends with the plugin. */
export interface PluginContext<Options = unknown, N extends Needs = Needs> {
  /** This instance's name: the plugin's own, or `plugin/instance`. */
  readonly name: string;
  /** Checked against the plugin's schema, defaults filled in, secrets resolved, frozen. */
  readonly options: Options;
  readonly needs: NeededServices<N>;
  /** Listeners added here are removed when the plugin stops. */
  readonly events: EventBus;
  readonly log: Logger;
  readonly collector: CollectorFacts;
  /** Aborts when this plugin must stop; also when its start overruns its deadline. */
  readonly signal: AbortSignal;
  /**
   * Registers how to undo what was just done. Undos run last-in-first-out at stop, each exactly once, and also when
   * `start` fails half way. One that throws is reported and does not keep the others from running.
   */
  onStop(undo: () => void | Promise<void>): void;
}

/** What holds for the whole collector. Paths are absolute. */
export interface CollectorFacts {
  readonly instance: string;
  readonly version: string;
  readonly stateDirectory: string;
  /** The directory of the configuration file: relative paths in options start here. */
  readonly configDirectory: string;
}

export interface PluginDefinition<S extends TObject, N extends Needs, Provided> {
  /** Kebab-case; the name under `plugins:` in the configuration. */
  readonly name: string;
  readonly kind: PluginKind;
  /** One sentence for `waywiser plugins`. */
  readonly summary: string;
  /** Gives type, default, check, documentation and editor completion; unknown keys are errors. */
  readonly options?: S;
  readonly needs?: N;
  readonly provides?: ServiceToken<Provided>;
  readonly startTimeoutMs?: number;
  readonly stopTimeoutMs?: number;
  /** Called once a boot, after everything in `needs` has started. Returns what the plugin provides. */
  start(context: PluginContext<Static<S>, N>): Provided | Promise<Provided>;
}

/** A plugin as the kernel holds it: the same shape, its type parameters forgotten. */
export interface Plugin {
  readonly name: string;
  readonly kind: PluginKind;
  readonly summary: string;
  readonly options: TObject;
  readonly needs: Needs;
  readonly provides: AnyServiceToken | undefined;
  readonly startTimeoutMs: number;
  readonly stopTimeoutMs: number;
  start(context: PluginContext): unknown;
}

export type { TSchema };
