import { deepFreeze, lockService } from '../../../src/kernel/index.ts';
import type { Definitions } from '../service.ts';
import type { Generation } from './generation.ts';

const lookups = [
  'findObject',
  'getObject',
  'findObjectGroup',
  'getObjectGroup',
  'findDeviceGroup',
  'getDeviceGroup',
  'findDevice',
  'getDevice',
  'findNetwork',
  'getNetwork',
] as const;

/** The definitions for a plugin that is not built in. What it asks for is frozen then: a generation as a whole would take too long. */
export function protectDefinitions(definitions: Definitions): Definitions {
  const views = new WeakMap<Generation, Generation>();
  return lockService(definitions, {
    get current() {
      const generation = definitions.current;
      const view = views.get(generation) ?? protectGeneration(generation);
      views.set(generation, view);
      return view;
    },
    get recent() {
      return deepFreeze(definitions.recent);
    },
    get degraded() {
      return deepFreeze(definitions.degraded);
    },
  });
}

function protectGeneration(generation: Generation): Generation {
  const frozen = lookups.map((name) => [name, (id: string) => deepFreeze(generation[name](id))] as const);
  return lockService(generation, {
    ...Object.fromEntries(frozen),
    facts: deepFreeze(generation.facts),
    get sections() {
      return deepFreeze(generation.sections);
    },
  });
}
