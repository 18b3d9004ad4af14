import { definePlugin, pipelineToken } from '../../src/index.ts';
import { shardsToken } from '../../src/sharding/index.ts';
import { runToEnd, SliceTurns } from '../../src/timing/index.ts';
import { definitionsToken } from '../definitions-loader/service.ts';
import { deviceRegistryToken } from '../device-registry/service.ts';
import { httpRoutesToken } from '../http-routes/service.ts';
import { snmpClientToken } from '../snmp-client/service.ts';
import { discoveryToken } from '../snmp-discovery/service.ts';
import { pollerToken } from '../snmp-poller/service.ts';
import { startAiming } from './aim/start-aiming.ts';
import { trapFailure } from './errors.ts';
import { checkForward } from './forwarding/forwarding.ts';
import { options } from './options.ts';
import { startCounting } from './record/start-counting.ts';
import { listRights, parseNetworks } from './senders/trap-rights.ts';
import { startIntake } from './start-intake.ts';
import { startReceiving } from './start-receiving.ts';
import { addTrapSurface } from './trap-surface.ts';

export default definePlugin({
  name: 'snmp-traps',
  kind: 'source',
  summary: 'Receives SNMP traps and informs, decodes them by the definitions, and sends them to the outputs.',
  options,
  needs: {
    definitions: definitionsToken,
    registry: deviceRegistryToken,
    client: snmpClientToken,
    discovery: discoveryToken,
    poller: pollerToken,
    pipeline: pipelineToken,
    routes: httpRoutesToken,
    shards: shardsToken,
  },
  check({ name, options, outputs, eventOutputs, undeclaredOutputs, warn }) {
    for (const output of chooseOutputs(name, options.outputs, { all: outputs, takers: eventOutputs })) {
      if (undeclaredOutputs.includes(output))
        warn(trapFailure('TRAP_OUTPUT_UNDECLARED', { plugin: name, output }));
    }
    parseNetworks(options.relays, { plugin: name, option: 'relays' });
    checkForward(name, options);
    runToEnd(
      listRights({
        plugin: name,
        options: { ...options, devices: false },
        registry: noDevices,
        findInventory: () => undefined,
      }),
    );
  },
  async start(context) {
    const { name, options, needs, log } = context;
    const { pipeline } = needs;
    const all = Object.keys(pipeline.counters.outputs);
    const takers = chooseOutputs(name, options.outputs, { all, takers: pipeline.eventOutputs });
    // A worker, whose parent receives.
    if (options.listen.length === 0) return void startAiming(context, () => {});
    const slices = new SliceTurns();
    const taking = await startIntake(context, slices);
    const { receiving, report, senders } = await startReceiving(context, slices, taking);
    startCounting(context, taking.counts);
    addTrapSurface(needs.routes, { ...taking, report, senders });
    log.info({ listeners: receiving.addresses, outputs: takers }, 'Receiving notifications.');
    if (takers.length === 0)
      log.warn(
        { outputs: all },
        'No output receives notifications: the API and the page show the last ones, and outputs receive their counts. Configure an output for events, such as ndjson.',
      );
  },
});

const noDevices = { devices: () => [], getTargets: () => [] };

/** The outputs that notifications go to. Throws where the option `outputs` names one that takes none. */
function chooseOutputs(
  plugin: string,
  wanted: readonly string[],
  { all, takers }: { readonly all: readonly string[]; readonly takers: readonly string[] },
): readonly string[] {
  for (const output of wanted) {
    if (!all.includes(output))
      throw trapFailure('TRAP_OUTPUT_UNKNOWN', { plugin, output, known: all.join(', ') || 'none' });
    if (!takers.includes(output))
      throw trapFailure('TRAP_OUTPUT_WITHOUT_EVENTS', { plugin, output, known: takers.join(', ') || 'none' });
  }
  return wanted.length === 0 ? takers : wanted;
}
