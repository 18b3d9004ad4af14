/** The public API: all that a plugin may import, together with other plugins' service.ts. */
export { defineErrors, type ErrorTable, explainError, WaywiserError } from './kernel/errors.ts';
export type { EventBus, EventListener } from './kernel/event-bus.ts';
export type { Logger } from './kernel/logger.ts';
export {
  type CollectorFacts,
  definePlugin,
  type Plugin,
  type PluginContext,
  type PluginKind,
} from './kernel/plugin.ts';
export { pathOption, secretOption } from './kernel/plugin-options.ts';
export { Secret } from './kernel/secrets.ts';
export { type ServiceToken, serviceToken } from './kernel/service-token.ts';
export * from './model/batch.ts';
export * from './model/definition-changes.ts';
export * from './model/device.ts';
export type * from './model/event-map.ts';
export * from './model/gap.ts';
export * from './model/oid.ts';
export { findNearestName, suggestName } from './nearest-name.ts';
export { PermanentError, type Writer } from './pipeline/delivery.ts';
export { defineOutput, type OutputWriter } from './pipeline/output.ts';
export { type Pipeline, type Processor, pipelineToken } from './pipeline/pipeline.ts';
export { defineProcessor } from './pipeline/processor.ts';
export { type Static, Type } from './typebox.ts';
