import { defineErrors, type Inventory } from '../../../src/index.ts';
import { contextsOf } from '../../../src/internal.ts';
import type { Device } from '../../device-registry/service.ts';
import { pollerErrors } from '../errors.ts';
import type { Question } from './explain-value.ts';

const failure = defineErrors(pollerErrors);

/** One of a device's SNMPv3 contexts. */
export interface AskedContext {
  /** Undefined for the one that speaks for the device. */
  readonly further: string | undefined;
  /** Undefined for a device that has but one. */
  readonly name: string | undefined;
  /** The device's, with what was found in this context. */
  readonly inventory: Inventory | undefined;
}

/**
 * The context that a question is about: the one it names, else the first that has the instance, else the first. Throws
 * POLL_CONTEXT_UNKNOWN for one that the device is not asked in.
 */
export function findAskedContext(
  { ref, settings }: Device,
  { context, object, instance }: Question,
  inventory: Inventory | undefined,
): AskedContext {
  const names = contextsOf(settings);
  if (context !== undefined && !names.includes(context)) {
    const known = names.map((name) => `"${name}"`).join(', ');
    throw failure('POLL_CONTEXT_UNKNOWN', { device: ref.name, context, known });
  }
  const inventoryIn = (position: number): Inventory | undefined => {
    if (position === 0 || inventory === undefined) return inventory;
    return { ...inventory, objects: inventory.contexts?.get(names[position]!) ?? new Map() };
  };
  const named = context === undefined ? -1 : names.indexOf(context);
  const having = names.findIndex((_, position) =>
    inventoryIn(position)?.objects.get(object)?.instances.includes(instance),
  );
  const position = Math.max(0, named === -1 ? having : named);
  return {
    further: position === 0 ? undefined : names[position],
    name: names.length > 1 ? names[position] : undefined,
    inventory: inventoryIn(position),
  };
}
