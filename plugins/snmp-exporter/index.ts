import { definePlugin, Type } from '../../src/index.ts';
import { shardsToken } from '../../src/sharding/index.ts';
import { definitionsToken } from '../definitions-loader/service.ts';
import { deviceRegistryToken } from '../device-registry/service.ts';
import { httpRoutesToken } from '../http-routes/service.ts';
import { discoveryToken } from '../snmp-discovery/service.ts';
import { pollerToken } from '../snmp-poller/service.ts';
import { scrapeRoute } from './scrape-route.ts';
import { ScrapeTargets } from './scrape-targets.ts';
import { SharedPolls } from './shared-polls.ts';

const idleCheckMs = 600_000;

export default definePlugin({
  name: 'snmp-exporter',
  kind: 'source',
  summary: 'Answers GET /snmp as Prometheus’ snmp_exporter does.',
  options: Type.Object({
    max_targets: Type.Integer({
      minimum: 0,
      default: 1_000,
      description: 'the maximum number of targets that are not devices of the definitions',
    }),
    idle_hours: Type.Number({
      minimum: 0.1,
      default: 24,
      description: 'hours after the last scrape of such a target until it is forgotten',
    }),
  }),
  needs: {
    definitions: definitionsToken,
    registry: deviceRegistryToken,
    discovery: discoveryToken,
    poller: pollerToken,
    routes: httpRoutesToken,
    shards: shardsToken,
  },
  start({ options, needs, log, collector, onStop }) {
    const { routes, registry, shards, ...services } = needs;
    const targets = new ScrapeTargets({
      definitions: services.definitions,
      registry,
      shards,
      maxTargets: options.max_targets,
      idleMs: options.idle_hours * 3_600_000,
      now: Date.now,
    });
    const timer = setInterval(() => targets.forgetIdle(), idleCheckMs);
    onStop(() => clearInterval(timer));
    const polls = new SharedPolls(() => performance.now());
    routes.add(scrapeRoute({ ...services, targets, polls }));
    if (!collector.describe().plugins.some(({ provides }) => provides === 'http-api'))
      log.warn('Nothing serves /snmp: add http-api to the plugins of the configuration.');
  },
});
