import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EventMap } from '../../../src/index.ts';
import { parseRecording, startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startDiscovery } from './discovery-stack.ts';

const ifEntry = 'IF-MIB::ifEntry';
const ifXEntry = 'IF-MIB::ifXEntry';

/** A device with 3,000 interfaces in ifTable. */
function longRecording() {
  const lines = ['1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.9.9', '1.3.6.1.2.1.1.3.0|67|1000'];
  for (let row = 1; row <= 3_000; row++) {
    lines.push(`1.3.6.1.2.1.2.2.1.2.${row}|4|Port ${row}`, `1.3.6.1.2.1.31.1.1.1.1.${row}|4|p${row}`);
  }
  return parseRecording(lines.join('\n'));
}

describe('a device with more instances than `max_instances`', () => {
  it('keeps what was found, tells which limit was reached, and forgets it when the limit is raised', async (t) => {
    await using agent = await startReplayAgent({ recording: longRecording() });
    const folder = new DefinitionFolder(t);
    folder.writeDevices([{ name: 'big', port: agent.port, groups: 'device_groups: [switch]' }]);
    const { discovery, device, settle, collector } = await startDiscovery(t, folder, {
      max_instances: 1_000,
    });
    const told: EventMap['discovery.completed'][] = [];
    collector.events.on('discovery.completed', (event) => void told.push(event));
    await settle();
    const { objects, cut } = discovery.findInventory(device('big'))!;
    let instances = 0;
    for (const [id, object] of objects) {
      instances += object.instances.length;
      if (id === ifEntry || id === ifXEntry) assert.match(object.partial ?? '', /raise max_instances/);
    }
    assert.ok(instances > 900 && instances <= 1_001, `${instances} instances`);
    assert.equal(cut?.limit, 'max_instances');
    assert.ok(cut.objects.includes(ifEntry) && cut.objects.includes(ifXEntry), cut.objects.join());
    assert.deepEqual(
      told.map((event) => event.cut),
      [cut],
    );
    assert.deepEqual([...discovery.cuts], [['max_instances', 1]]);
  });
});
