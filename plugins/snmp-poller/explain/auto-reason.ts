import type { Inventory } from '../../../src/index.ts';
import { type CompiledObject, findRefusal, type ObjectWish } from '../../../src/internal.ts';
import type { Generation } from '../../definitions-loader/service.ts';

const replaced = 'replaced by ';

/** Why a device with `objects: auto` does not collect an object; undefined when it does, or when its groups are lists. */
export function findAutoReason(
  object: CompiledObject,
  device: string,
  wish: ObjectWish,
  inventory: Inventory | undefined,
  { catalog }: Pick<Generation, 'catalog'>,
): string | undefined {
  if (!wish.isAuto || inventory === undefined || inventory.objects.has(object.id)) return undefined;
  const { id } = object;
  switch (findRefusal(object, wish)) {
    case 'on_request':
      return `${id} is collected on request only (\`collect: on_request\`), and no device group of "${device}" names it.`;
    case 'without':
      return `The device group of "${device}" leaves ${id} out (\`without\`).`;
  }
  const { auto } = inventory;
  if (auto === undefined) return undefined;
  const why = auto.leftOut[id];
  if (why?.startsWith(replaced))
    return `"${device}" answers ${id}, but ${why.slice(replaced.length)} has the same measurements and is collected instead.`;
  if (why !== undefined)
    return `"${device}" answers ${id}, but polling it would exceed max_values_per_minute or max_packets_per_minute of snmp-discovery. Raise these, or name the object in a device group.`;
  const roots = catalog.rootsOf(object);
  const answered = roots.filter((root) => auto.roots.includes(root));
  return answered.length === 0
    ? `"${device}" answers nothing below ${roots.join(', ')}, so it was not asked for ${id}.`
    : `"${device}" answers below ${answered.join(', ')}, but nothing of ${id}.`;
}
