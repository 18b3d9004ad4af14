import { compareOids } from '../../src/model/oid.ts';
import {
  type DraftAttribute,
  type DraftDevice,
  type DraftEnum,
  type DraftGroup,
  type DraftIndexPart,
  type DraftNotification,
  type DraftObject,
  type DraftSet,
  type DraftSysObjectId,
  type DraftValue,
  idOf,
} from './draft-set.ts';
import { blockLines, commentLines, flowText, scalarText } from './yaml-text.ts';

export interface DraftFile {
  /** Below the directory of the definitions, slashes between names. */
  readonly path: string;
  readonly text: string;
  /** Readable by its owner only. */
  readonly isSecret?: boolean;
}

/**
 * The files of a draft, by their path, in the layout and order of the definitions that ship. `intro` stands at the top of each. The same
 * set gives the same files. A file that would be too large for the reader is split.
 */
export function draftFiles(set: DraftSet, intro: readonly string[]): DraftFile[] {
  const texts: [path: string, lines: readonly string[]][] = [
    ...entries('objects', set.objects, objectLines),
    ...entries('notifications', set.notifications ?? [], notificationLines),
    ...set.enums.map((each): [string, string[]] => [`enums/${each.kind}/${each.file}`, enumLines(each)]),
    ...entries('object_groups', set.objectGroups, groupLines('objects')),
    ...entries('device_groups', set.deviceGroups, groupLines('object_groups')),
    ...entries('autodiscover/sysoids', sortedByOid(set.sysObjectIds), sysObjectIdLines),
    ...entries('devices', set.devices, deviceLines),
  ];
  const { deviceDefaults } = set;
  if (deviceDefaults !== undefined) texts.push(['defaults/device', blockLines('defaults', deviceDefaults)]);
  for (const { id, credential } of set.networks ?? []) {
    texts.push(['autodiscover/networks', blockLines(id, { credentials: [credential], networks: [] })]);
  }
  const byPath = groupTexts(texts);
  const files = [...byPath].flatMap(([path, parts]) =>
    joinParts(
      path,
      parts.map(([, lines]) => lines.join('\n')),
      commentLines(intro).join('\n'),
    ),
  );
  for (const [name, text] of set.secrets)
    files.push({ path: `secrets/${name}`, text: `${text}\n`, isSecret: true });
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function entries<Each extends { readonly file: string }>(
  folder: string,
  list: readonly Each[],
  linesOf: (each: Each) => string[],
): [string, string[]][] {
  return list.map((each) => [`${folder}/${each.file}`, linesOf(each)]);
}

function groupTexts<Text extends readonly [string, unknown]>(texts: readonly Text[]): Map<string, Text[]> {
  const groups = new Map<string, Text[]>();
  for (const text of texts) {
    const group = groups.get(text[0]);
    if (group === undefined) groups.set(text[0], [text]);
    else group.push(text);
  }
  return groups;
}

/** The reader of definitions takes files of 1 MiB and 32,768 lines. */
const maxCharacters = 900_000;
const maxLines = 30_000;

function joinParts(path: string, parts: readonly string[], intro: string): DraftFile[] {
  const files: DraftFile[] = [];
  let held: string[] = [];
  let characters = 0;
  let lines = 0;
  const isDense = !/^(?:objects|notifications|enums)\//.test(path);
  const end = () => {
    const suffix = files.length === 0 ? '' : `-${files.length + 1}`;
    files.push({ path: `${path}${suffix}.yml`, text: `${intro}\n\n${held.join(isDense ? '\n' : '\n\n')}\n` });
    held = [];
    characters = 0;
    lines = 0;
  };
  for (const part of parts) {
    const count = part.split('\n').length + 1;
    const size = Buffer.byteLength(part) + 2;
    if (held.length > 0 && (characters + size > maxCharacters || lines + count > maxLines)) end();
    held.push(part);
    characters += size;
    lines += count;
  }
  end();
  return files;
}

function objectLines(object: DraftObject): string[] {
  const {
    mib,
    entry,
    type,
    augments,
    index,
    discoveryAttribute,
    collect,
    record,
    labels,
    attributes,
    comments = [],
  } = object;
  return [
    ...commentLines(comments),
    `${scalarText(idOf(object))}:`,
    ...indent([
      `mib: ${scalarText(mib)}`,
      `object: ${scalarText(entry)}`,
      `type: ${type}`,
      ...(record === undefined ? [] : [`record: ${record}`]),
      ...(labels === undefined ? [] : [`labels: ${flowText(labels)}`]),
      ...(augments === undefined ? [] : [`augments: ${scalarText(augments)}`]),
      ...(index === undefined || augments !== undefined
        ? []
        : ['index:', ...index.map((part) => `  - ${flowText(indexPart(part))}`)]),
      ...(discoveryAttribute === undefined ? [] : [`discovery_attribute: ${scalarText(discoveryAttribute)}`]),
      ...(collect === undefined ? [] : [`collect: ${collect}`]),
      'attributes:',
      ...indent(attributes.flatMap(attributeLines)),
    ]),
  ];
}

function indexPart({ type, oid, name, syntax, column }: DraftIndexPart) {
  return { type, oid: oid === undefined ? undefined : dotted(oid), name, syntax, column };
}

function attributeLines(attribute: DraftAttribute): string[] {
  const {
    key,
    oid,
    name,
    syntax,
    metric,
    tag,
    at,
    rediscover,
    overrides,
    scale,
    stateAs,
    unit,
    description,
  } = attribute;
  const { sensor, missing, isInTemplatesOnly } = attribute;
  const settings = {
    oid: dotted(oid),
    name: sensor === undefined && !isInTemplatesOnly ? name : undefined,
    syntax,
    metric,
    tag: isInTemplatesOnly ? undefined : tag,
    at,
    rediscover,
    overrides,
    scale,
    sensor: sensor as DraftValue | undefined,
    missing,
    state_as: stateAs,
    unit,
    description,
  };
  return [
    ...commentLines(attribute.comments ?? []),
    `${scalarText(key)}:`,
    ...indent(
      Object.entries(settings).flatMap(([word, value]) => {
        if (value === undefined) return [];
        if (word === 'unit') return [`unit: ${JSON.stringify(value)}`];
        return blockLines(word, value);
      }),
    ),
  ];
}

function notificationLines(notification: DraftNotification): string[] {
  const { id, oid, severity, severityFrom, category, description, message } = notification;
  const { varbinds, clears, clearsWhen, attributes, aim } = notification;
  const settings = {
    oid: dotted(oid),
    severity,
    severity_from: severityFrom,
    category,
    description,
    message,
    varbinds: varbinds.length === 0 ? undefined : varbinds,
    clears: clears.length === 0 ? undefined : clears,
    clears_when: clearsWhen,
  };
  return [
    ...commentLines(notification.comments ?? []),
    `${scalarText(id)}:`,
    ...indent([
      ...linesOf(settings),
      ...(attributes.length === 0 ? [] : ['attributes:', ...indent(attributes.flatMap(attributeLines))]),
      ...linesOf({ aim }),
    ]),
  ];
}

function linesOf(settings: Readonly<Record<string, DraftValue | undefined>>): string[] {
  return Object.entries(settings).flatMap(([word, value]) =>
    value === undefined ? [] : blockLines(word, value),
  );
}

function enumLines({ oid, names, comments = [] }: DraftEnum): string[] {
  const lines = [...names].map(([number, text]) => `${number}: ${scalarText(text)}`);
  return [...commentLines(comments), `${dotted(oid)}:`, ...indent(lines)];
}

function groupLines(key: string): (group: DraftGroup) => string[] {
  return ({ id, members, comments = [] }) => [
    ...commentLines(comments),
    `${scalarText(id)}:`,
    ...indent(
      members.length === 0
        ? [`${key}: []`]
        : [`${key}:`, ...indent(members.map((member) => `- ${scalarText(member)}`))],
    ),
  ];
}

function sysObjectIdLines({ oid, deviceGroup, comments = [] }: DraftSysObjectId): string[] {
  return [...commentLines(comments), `${dotted(oid)}: ${scalarText(deviceGroup)}`];
}

function deviceLines({ id, settings, comments = [] }: DraftDevice): string[] {
  return [...commentLines(comments), ...blockLines(id, settings)];
}

function sortedByOid(list: readonly DraftSysObjectId[]): DraftSysObjectId[] {
  return [...list].sort((a, b) => compareOids(a.oid, b.oid));
}

function dotted(oid: string): string {
  return oid.startsWith('.') ? oid : `.${oid}`;
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
