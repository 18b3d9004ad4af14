import { defineErrors, type Inventory } from '../../../src/index.ts';
import { contextsOf } from '../../../src/model/index.ts';
import type { Device } from '../../device-registry/service.ts';
import { pollerErrors } from '../errors.ts';
import type { Question } from './explain-value.ts';

const failure = defineErrors(pollerErrors);

/** The SNMPv3 context of a device that a question is about. */
export interface ResolvedContext {
  /** Undefined for the first one, which decides the state of the device. */
  readonly further: string | undefined;
  /** Undefined for a device with a single context. */
  readonly name: string | undefined;
  /** The device's inventory, with the objects that were found in this context. */
  readonly inventory: Inventory | undefined;
}

/**
 * The context that a question names, or else the first one that has the instance, or else the first one. Throws
 * POLL_CONTEXT_UNKNOWN for a context that the device does not have.
 */
export function resolveContext(
  { ref, settings }: Device,
  { context, object, instance }: Question,
  inventory: Inventory | undefined,
): ResolvedContext {
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
