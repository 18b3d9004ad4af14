import { NetworkSchema, SysObjectIdSchema } from './autodiscover.ts';
import { DeviceDefaultsSchema, DeviceSchema } from './device.ts';
import { BitmapEnumSchema, IntegerEnumSchema, OidEnumSchema } from './enum.ts';
import { DeviceGroupSchema, ObjectGroupSchema, ObjectTypeSchema } from './group.ts';
import { ObjectSchema } from './object.ts';

/** What each kind of file holds: a map from id to one of these. */
export const definitionSchemas = {
  deviceDefaults: DeviceDefaultsSchema,
  objectTypes: ObjectTypeSchema,
  devices: DeviceSchema,
  deviceGroups: DeviceGroupSchema,
  objectGroups: ObjectGroupSchema,
  objects: ObjectSchema,
  integerEnums: IntegerEnumSchema,
  bitmapEnums: BitmapEnumSchema,
  oidEnums: OidEnumSchema,
  networks: NetworkSchema,
  sysObjectIds: SysObjectIdSchema,
} as const;

export type DefinitionKind = keyof typeof definitionSchemas;
export const definitionKinds = Object.keys(definitionSchemas) as readonly DefinitionKind[];
