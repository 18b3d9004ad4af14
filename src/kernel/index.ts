/** For plugins and commands: configurations, secrets, logs and locks. */

export type { Collector, ConfiguredPlugin } from './collector.ts';
export { ConfigFile, checkCollectorKeys, collectorSchema, configFailure } from './config-file.ts';
export { deepFreeze } from './deep-freeze.ts';
export {
  defineErrors,
  type ErrorTable,
  explainError,
  kernelFailure,
  messageOf,
  WaywiserError,
} from './errors.ts';
export type { EventBus } from './event-bus.ts';
export { lockService } from './lock-service.ts';
export { createLogger, type LogFormat, type Logger } from './logger.ts';
export {
  type CollectorDescription,
  definePlugin,
  type NeededServices,
  type Plugin,
  pluginKinds,
} from './plugin.ts';
export { checkOptions, closeObjects } from './plugin-options.ts';
export { isSecretReference, Secret } from './secrets.ts';
export { type AnyServiceToken, type ServiceToken, serviceToken } from './service-token.ts';
export { systemReasonOf } from './system-reason.ts';
export { hideUrlSecrets } from './url-text.ts';
