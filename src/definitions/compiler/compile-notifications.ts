import { normalizeOid, type Oid } from '../../model/oid.ts';
import { compileAttribute } from '../keywords/attribute-keywords.ts';
import { parseTemplate } from '../keywords/template.ts';
import type { RawNotification } from '../schema/notification.ts';
import type { RawDefinitions } from '../schema/raw-definitions.ts';
import type {
  CompiledAttribute,
  CompiledEnum,
  CompiledNotification,
  CompiledObject,
  MessagePart,
  NotificationVarbind,
} from './compiled-definitions.ts';
import { hashText } from './content-hash.ts';
import { EnumFinder } from './links/enum-finder.ts';
import type { ProblemList } from './problem-list.ts';
import type { UnchangedParts } from './unchanged-parts.ts';

interface NotificationContext {
  readonly raw: Pick<RawDefinitions, 'notifications' | 'objects'>;
  readonly objects: ReadonlyMap<string, CompiledObject>;
  readonly enums: ReadonlyMap<string, CompiledEnum>;
  readonly oidNamesHash: string;
  readonly problems: ProblemList;
  readonly unchanged: UnchangedParts | undefined;
}

/** Every notification, with the columns of its varbinds. */
export function compileNotifications(context: NotificationContext): Map<string, CompiledNotification> {
  const { raw, problems, unchanged } = context;
  const enums = new EnumFinder(context.enums, context.oidNamesHash, problems);
  const words = findWords(context);
  const byOid = new Map<string, string>();
  const compiled = new Map<string, CompiledNotification>();
  for (const [id, notification] of raw.notifications) {
    reportUnknown(id, notification, words, context);
    const known = unchanged?.findNotification(id);
    const one = known?.varbinds.every(
      ({ name, column }) => words.varbindOf(name, id, known.attributes).column === column,
    )
      ? known
      : compileNotification(id, notification, words, enums, problems);
    const place = `${one.oid}${one.isPrefix ? '.*' : ''}`;
    const other = byOid.get(place);
    if (other !== undefined) {
      const message = `“${id}” and “${other}” both define the notification .${place}. “${id}” is used. Remove one of them.`;
      problems.add('notification-defined-twice', ['notifications', id, 'oid'], message);
    }
    byOid.set(place, id);
    compiled.set(id, one);
  }
  return compiled;
}

function compileNotification(
  id: string,
  raw: RawNotification,
  words: Words,
  enums: EnumFinder,
  problems: ProblemList,
): CompiledNotification {
  const attributes = new Map<string, CompiledAttribute>();
  const links: unknown[] = [];
  for (const [name, attribute] of Object.entries(raw.attributes ?? {})) {
    const { text, ...parts } = compileAttribute(name, attribute, false, (rule, path, message) =>
      problems.add(rule, ['notifications', id, ...path], message),
    );
    const path = ['notifications', id, 'attributes', name, 'syntax'] as const;
    const found = enums.find(parts.syntax, parts.column, path);
    attributes.set(name, { ...parts, enum: found?.id, overrides: [], scale: undefined, sensor: undefined });
    links.push(text, found?.hash);
  }
  const isPrefix = raw.oid.endsWith('.*');
  const oidText = isPrefix ? raw.oid.slice(0, -2) : raw.oid;
  const clears = (raw.clears ?? []).filter((other) => {
    if (other !== id || raw.clears_when !== undefined) return true;
    const message = `“${id}” clears itself, which ends every one as it comes. Add \`clears_when\`, or remove it from \`clears\`. It is ignored.`;
    problems.add('notification-clears-itself', ['notifications', id, 'clears'], message);
    return false;
  });
  return {
    id,
    oid: normalizeOid(oidText) ?? oidText,
    isPrefix,
    severity: raw.severity ?? 'notice',
    severityFrom: raw.severity_from,
    category: raw.category ?? 'other',
    description: raw.description,
    message: raw.message === undefined ? undefined : compileMessage(raw.message),
    varbinds: (raw.varbinds ?? []).map((name) => words.varbindOf(name, id, attributes)),
    identity: raw.identity,
    clears: clears.length === 0 && raw.clears_when !== undefined ? [id] : clears,
    clearsWhen: raw.clears_when,
    attributes,
    aim: raw.aim && {
      poll: raw.aim.poll ?? [],
      pollNamedBy: raw.aim.poll_named_by ?? [],
      rediscover: raw.aim.rediscover ?? false,
    },
    isMuted: raw.muted ?? false,
    hash: hashText(JSON.stringify([raw, links])),
  };
}

/** `{netif.name|netif.index} is up` as parts. */
function compileMessage(text: string): readonly MessagePart[] {
  return parseTemplate(text).map((step) =>
    typeof step === 'string' ? step : { anyOf: step.name.split('|') },
  );
}

/** What the notifications of a set name, as far as the set has it. */
interface Words {
  readonly fields: ReadonlySet<string>;
  readonly names: ReadonlyMap<string, readonly { readonly object: string; readonly column: Oid }[]>;
  varbindOf(
    name: string,
    id: string,
    attributes: ReadonlyMap<string, CompiledAttribute>,
  ): NotificationVarbind;
}

/** One pass over all objects, which looks only for what is named. */
function findWords({ raw: { notifications }, objects }: NotificationContext): Words {
  const wantedNames = new Set<string>();
  const wantedFields = new Set<string>();
  for (const notification of notifications.values()) {
    for (const name of notification.varbinds ?? []) wantedNames.add(name);
    for (const { field } of fieldsOf(notification)) wantedFields.add(field);
  }
  const fields = new Set<string>();
  const names = new Map<string, { readonly object: string; readonly column: Oid }[]>();
  const addName = (name: string | undefined, object: string, column: Oid | undefined) => {
    if (name === undefined || column === undefined || !wantedNames.has(name)) return;
    const known = names.get(name);
    if (known === undefined) names.set(name, [{ object, column }]);
    else known.push({ object, column });
  };
  const addField = (field: string | undefined) => {
    if (field !== undefined && wantedFields.has(field)) fields.add(field);
  };
  if (wantedNames.size + wantedFields.size > 0) {
    for (const object of objects.values()) {
      for (const [label] of object.labels ?? []) addField(label);
      for (const { field, column, mibName } of object.index) {
        addField(field);
        addName(mibName, object.id, column);
      }
      for (const { name, column, fields: written } of object.attributes.values()) {
        for (const { field } of written) addField(field);
        addName(name, object.id, column);
      }
    }
  }
  return {
    fields,
    names,
    varbindOf(name, id, attributes) {
      const own = attributes.get(name)?.column;
      if (own !== undefined) return { name, column: own };
      const found = names.get(name);
      const mib = `${id.split('::')[0]}::`;
      return { name, column: (found?.find(({ object }) => object.startsWith(mib)) ?? found?.[0])?.column };
    },
  };
}

interface NamedField {
  readonly field: string;
  readonly path: readonly (string | number)[];
}

function fieldsOf(raw: RawNotification): readonly NamedField[] {
  const { message, identity = [], severity_from: from, clears_when: when } = raw;
  return [
    ...(message === undefined
      ? []
      : parseTemplate(message).flatMap((step) =>
          typeof step === 'string' ? [] : step.name.split('|').map((field) => ({ field, path: ['message'] })),
        )),
    ...(raw.aim?.poll_named_by ?? []).map((field, position) => ({
      field,
      path: ['aim', 'poll_named_by', position],
    })),
    ...identity.map((field, position) => ({ field, path: ['identity', position] })),
    ...(from === undefined ? [] : [{ field: from.field, path: ['severity_from', 'field'] }]),
    ...(when === undefined ? [] : [{ field: when.field, path: ['clears_when', 'field'] }]),
  ];
}

function reportUnknown(
  id: string,
  raw: RawNotification,
  words: Words,
  { raw: { notifications, objects }, problems }: NotificationContext,
): void {
  const own = Object.entries(raw.attributes ?? {});
  (raw.clears ?? []).forEach((other, position) => {
    if (notifications.has(other)) return;
    const path = ['notifications', id, 'clears', position] as const;
    problems.addUnknown(path, 'notification', other, 'it is ignored', notifications);
  });
  (raw.aim?.poll ?? []).forEach((object, position) => {
    if (objects.has(object)) return;
    const path = ['notifications', id, 'aim', 'poll', position] as const;
    problems.addUnknown(path, 'object', object, 'it is not polled', objects);
  });
  (raw.varbinds ?? []).forEach((name, position) => {
    if (words.names.has(name) || own.some(([key]) => key === name)) return;
    const message = `There is no attribute “${name}” in any object, nor in \`attributes\` of this notification. Its values are kept as numbers in trap.varbinds.`;
    problems.add('unknown-reference', ['notifications', id, 'varbinds', position], message);
  });
  for (const { field, path } of fieldsOf(raw)) {
    if (/^(?:trap\.|sensor\.(?:value|state\.raw)$)/.test(field) || words.fields.has(field)) continue;
    if (own.some(([key, { name = key }]) => field === name || field.startsWith(`${name}.`))) continue;
    const message = `No object and no attribute of this notification writes the field “${field}”, so it is never there. waywiser show notification ${id} lists what it names.`;
    problems.add('unknown-field', ['notifications', id, ...path], message);
  }
}
