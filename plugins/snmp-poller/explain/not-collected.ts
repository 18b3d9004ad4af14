import {
  type CompiledObject,
  findLeftOut,
  type LeftOut,
  type ObjectWish,
} from '../../../src/definitions/index.ts';
import type { Inventory } from '../../../src/index.ts';
import type { Generation } from '../../definitions-loader/service.ts';

/** Why a device does not collect an object. */
export interface NotCollected extends LeftOut {
  /** As a sentence; missing where the device groups are lists. */
  readonly sentence?: string;
}

/** Why a device does not collect an object; undefined when it does, before its first discovery, and when only a discovery can tell. */
export function findNotCollected(
  object: CompiledObject,
  device: string,
  wish: ObjectWish,
  inventory: Inventory | undefined,
  generation: Pick<Generation, 'catalog' | 'number'>,
): NotCollected | undefined {
  if (inventory === undefined) return undefined;
  const { auto } = inventory;
  const found = inventory.objects.get(object.id);
  if (found !== undefined && (auto !== undefined || found.instances.length > 0)) return undefined;
  const leftOut = findLeftOut(object, wish, auto, generation.catalog);
  const isDecided = leftOut.why !== 'not_answered' || auto !== undefined || found !== undefined;
  if (!isDecided) return undefined;
  if (!wish.isAuto) return leftOut;
  const later =
    leftOut.why === 'not_answered' && inventory.generation !== generation.number
      ? ' The definitions have changed since the last discovery of the device: rediscover it to ask again.'
      : '';
  return { ...leftOut, sentence: writeSentence(object, device, leftOut, inventory, generation) + later };
}

function writeSentence(
  object: CompiledObject,
  device: string,
  { why, by }: LeftOut,
  { auto }: Inventory,
  { catalog }: Pick<Generation, 'catalog'>,
): string {
  const { id } = object;
  switch (why) {
    case 'on_request':
      return `${id} is collected on request only (\`collect: on_request\`), and no device group of "${device}" names it.`;
    case 'without':
      return `The device group of "${device}" leaves ${id} out (\`without\`).`;
    case 'replaced':
      return `"${device}" answers ${id}, but ${by} has the same measurements and is collected instead.`;
    case 'budget':
      return `"${device}" answers ${id}, but polling it would exceed max_values_per_minute or max_packets_per_minute of snmp-discovery. Raise these, or name the object in a device group.`;
    case 'cut':
      return `"${device}" answers ${id}, but its discovery reached a limit before all of it was read. \`cut\` of the inventory says which option of snmp-discovery to raise.`;
    case 'silent':
      return `"${device}" gave no answer that can be used when it was asked for ${id}: silence, an error, or OIDs that do not increase. Look at it with \`waywiser walk\`, and rediscover the device when it answers.`;
    case 'no_rows':
      return `"${device}" answers a column of ${id}, but has no row at its discovery_attribute${object.rows === undefined ? '' : ', or none that its `rows` choose'}.`;
  }
  const roots = catalog.rootsOf(object);
  const answered = roots.filter((root) => auto?.roots.includes(root));
  return answered.length === 0
    ? `"${device}" answers nothing below ${roots.join(', ')}, so it was not asked for ${id}.`
    : `"${device}" answers below ${answered.join(', ')}, but nothing of ${id}.`;
}
