import { Collector } from '../../../src/kernel/collector.ts';
import type { Plugin } from '../../../src/kernel/plugin.ts';
import { recordLog } from './log-lines.ts';

/** A collector of `plugins` without options, and what it logs. */
export function createCollector(...plugins: readonly Plugin[]) {
  const { log, lines } = recordLog();
  const collector = new Collector({
    instance: 'test',
    version: '0',
    stateDirectory: '/nonexistent',
    log,
    plugins: plugins.map((plugin) => ({ name: plugin.name, plugin, options: {} })),
  });
  return { collector, lines };
}
