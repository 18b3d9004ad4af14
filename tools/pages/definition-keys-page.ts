import { listOptions } from '../../cli/authoring/option-list.ts';
import { type DefinitionKind, definitionSchemas } from '../../src/definitions/schema/definition-kinds.ts';
import type { TSchema } from '../../src/typebox.ts';
import { renderTable } from './markdown-table.ts';

/** The text of docs/definition-keys.md: the place of each kind of definition file, and every key that it may have. */
export function renderKeys(): string {
  const sections = (Object.keys(places) as DefinitionKind[]).map((kind) => {
    const schema: TSchema = definitionSchemas[kind];
    const { file, entry } = places[kind];
    const description: string = schema['description'] ?? ofDefaults;
    const keys = kind === 'deviceDefaults' ? [] : renderSchema(schema);
    return [`## ${file}`, `\`${entry}\`. ${description}`, ...keys].join('\n\n');
  });
  const introduction =
    'Every key of definition files. A file is a YAML map from ids to definitions, `.yml` or `.yaml`, at any depth below the folder of its kind; other endings are ignored. [Working on definitions](definitions.md) has an example of each kind.';
  return `${['# Definition keys', introduction, commands, ...sections].join('\n\n')}\n`;
}

const ofDefaults = 'Values for every device that leaves them out: each key of `devices/` except `ip`.';

const commands = `\`\`\`sh
waywiser schema objects     # the same as a JSON Schema, for editors; the other kinds have their own words
waywiser check definitions  # reports every unknown or wrong key, with its line
\`\`\``;

interface Place {
  readonly file: string;
  /** An example of an entry. */
  readonly entry: string;
}

const places: Readonly<Record<DefinitionKind, Place>> = {
  devices: { file: 'devices/', entry: 'NAME: { ip: …, version: … }' },
  deviceDefaults: { file: 'defaults/device.yml', entry: 'defaults: { … }' },
  objectTypes: { file: 'defaults/object_types.yml', entry: 'TYPE: { poll_interval: 60 }' },
  deviceGroups: { file: 'device_groups/', entry: 'NAME: { object_groups: […] }' },
  objectGroups: { file: 'object_groups/', entry: 'NAME: { objects: […] }' },
  objects: { file: 'objects/', entry: 'MIB::ENTRY: { mib: …, object: …, attributes: { … } }' },
  notifications: { file: 'notifications/', entry: 'MIB::NAME: { oid: …, severity: …, message: … }' },
  integerEnums: { file: 'enums/integer/', entry: 'OID: { 1: TEXT, 2: TEXT }' },
  bitmapEnums: { file: 'enums/bitmap/', entry: 'OID: { 0: TEXT, 1: TEXT }' },
  oidEnums: { file: 'enums/oid/', entry: 'OID: TEXT' },
  sysObjectIds: { file: 'autodiscover/sysoids/', entry: 'OID: DEVICE_GROUP' },
  networks: { file: 'autodiscover/networks.yml', entry: 'NAME: { credentials: […], networks: […] }' },
};

function renderSchema(schema: TSchema): string[] {
  const rows = listOptions(schema).map(({ name, type, isRequired, default: value, description }) => [
    `\`${name}\``,
    type,
    isRequired ? 'required' : value === undefined ? '' : `\`${JSON.stringify(value)}\``,
    description,
  ]);
  return rows.length === 0 ? [] : [renderTable(['key', 'type', 'default', 'meaning'], rows)];
}
