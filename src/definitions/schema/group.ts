import { Type } from '../../typebox.ts';
import { Seconds, Text } from './scalars.ts';

export const DeviceGroupSchema = Type.Object(
  { object_groups: Type.Array(Text({ description: 'The id of an object group.' })) },
  { additionalProperties: false, description: 'What a kind of device is asked for.' },
);

export const ObjectGroupSchema = Type.Object(
  { objects: Type.Array(Text({ description: 'The id of an object.' })) },
  { additionalProperties: false, description: 'Objects that belong together.' },
);

export const ObjectTypeSchema = Type.Object(
  { poll_interval: Seconds({ description: 'Seconds between polls of objects of this type.' }) },
  { additionalProperties: false, description: 'An interval class of objects.' },
);
