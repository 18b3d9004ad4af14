/** For commands: a configuration becomes a collector. */

export { createPluginFinder } from './built-in-plugins.ts';
export { listQueuesElsewhere } from './claim-directories.ts';
export { assembleCollector, type CollectorSetup, loadSetup } from './collector-setup.ts';
export { type Environment, overrideOptions } from './environment.ts';
