import { definitionSchemas } from '../../../src/definitions/index.ts';
import { listOf } from '../../../src/http/index.ts';
import { type Static, Type } from '../../../src/index.ts';
import { deviceSummarySchema } from './device-schema.ts';

const { ip, port, ...settings } = definitionSchemas.devices.properties;
const name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{N} ._:@/-]*$',
  description: 'Letters, digits, spaces and . _ : @ / -. Unique among all devices.',
});

const example = {
  name: 'core-1',
  version: '2c',
  communities: ['${file:core-community}'],
  device_groups: ['cisco-switch'],
  tags: { site: 'lab' },
};

/** The keys that both bodies have: those of a device in a definition file. */
const settingsSchema = Type.Object(
  {
    name,
    ...settings,
    v3_credentials: {
      ...settings.v3_credentials,
      items: { ...settings.v3_credentials.items, title: 'V3Credential' },
    },
  },
  {
    title: 'DeviceSettings',
    description: 'The keys of a device in a definition file, and its name. Secrets must be references.',
  },
);

const addressSchema = Type.Object({ ip, port });

export const newDeviceSchema = Type.Unsafe<Static<typeof settingsSchema> & Static<typeof addressSchema>>(
  Type.Intersect([settingsSchema, addressSchema], {
    title: 'NewDevice',
    unevaluatedProperties: false,
    examples: [{ ...example, ip: '192.0.2.1', port: 161 }],
  }),
);

/** The address and port are in the path. */
export const replacedDeviceSchema = Type.Unsafe<Static<typeof settingsSchema>>({
  allOf: [settingsSchema],
  unevaluatedProperties: false,
  examples: [example],
});

export const isDeviceName = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= 200 && new RegExp(name.pattern!, 'u').test(text);

/** An error or a warning about a device that does not come from a file. */
const deviceProblemSchema = Type.Object(
  {
    level: Type.Union([Type.Literal('error'), Type.Literal('warning')]),
    path: Type.String({ description: 'the key, such as v3_credentials.0.username' }),
    rule: Type.String({ description: 'one of docs/errors.md' }),
    message: Type.String(),
  },
  { title: 'DeviceProblem' },
);

export const managedDeviceSchema = Type.Composite(
  [deviceSummarySchema, Type.Object({ warnings: listOf(deviceProblemSchema) })],
  { title: 'ManagedDevice' },
);
