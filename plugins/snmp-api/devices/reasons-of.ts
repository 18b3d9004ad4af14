import { RootReasons, wishOf } from '../../../src/definitions/index.ts';
import type { Generation } from '../../definitions-loader/service.ts';

/** Why devices do not collect what they answer, by one generation of definitions. */
export function reasonsOf(generation: Generation): RootReasons {
  return new RootReasons(generation.catalog, (deviceGroups) =>
    wishOf(deviceGroups.flatMap((id) => generation.findDeviceGroup(id)?.definition ?? [])),
  );
}
