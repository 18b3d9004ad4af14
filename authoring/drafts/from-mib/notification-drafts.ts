import { compileFields } from '../../../src/definitions/index.ts';
import type { MibModule, MibNode, MibSet } from '../../mib/index.ts';
import { describe, isUsableName } from '../draft-names.ts';
import { type DraftAttribute, type DraftNotification, type DraftObject, idOf } from '../draft-set.ts';
import { meaningOf } from './column-meaning.ts';
import { wordsOf } from './field-words.ts';
import { categoryOf, findCleared, severitiesOf, severityOf } from './notification-words.ts';
import { levelsOf } from './sensor-drafts.ts';
import type { KnownVarbind, ShippedColumns } from './shipped-columns.ts';

interface NotificationContext {
  readonly module: MibModule;
  readonly mibs: MibSet;
  readonly shipped: ShippedColumns;
  /** The objects that are drafted. */
  readonly objects: readonly DraftObject[];
  readonly file: string;
  /** Words that all names of the module begin with. */
  readonly prefix: readonly string[];
  readonly takes: ((notification: MibNode, isAboutDrafted: boolean) => boolean) | undefined;
  /** A field for a varbind of no object, without the suffix of its syntax. */
  claimField(column: MibNode, syntax: string): string;
  addEnum(column: MibNode, syntax: string): void;
}

/** A varbind of a notification: its node, and the definition of its column where there is one. */
interface Varbind {
  readonly node: MibNode;
  readonly known: KnownVarbind | undefined;
}

/** Drafts the notifications of a module, and says which are left out. */
export function draftNotifications(context: NotificationContext): {
  readonly notifications: readonly DraftNotification[];
  readonly left: readonly string[];
} {
  const { module, mibs, shipped, objects, takes } = context;
  const drafted = draftedVarbinds(objects);
  const replaced = new Set(objects.map(idOf));
  const remaining = new Map([...shipped.varbinds].filter(([, { object }]) => !replaced.has(object.id)));
  const left: string[] = [];
  const byOid = new Map<string, string>();
  const chosen: {
    readonly node: MibNode;
    readonly varbinds: readonly Varbind[];
    readonly missing: string[];
  }[] = [];
  for (const node of module.nodes) {
    const { name, oid, kind, status, objects: named = [] } = node;
    if (kind !== 'notification' || oid === undefined || status === 'obsolete' || !isUsableName(name))
      continue;
    const found = named.map((each) => [each, mibs.findWithin(module.name, each)] as const);
    const varbinds = found.flatMap(([, varbind]): Varbind[] =>
      varbind?.oid === undefined || !isUsableName(varbind.name)
        ? []
        : [{ node: varbind, known: knownOf(varbind, drafted) ?? knownOf(varbind, remaining) }],
    );
    if (
      takes?.(
        node,
        varbinds.some((each) => drafted.has(each.node.oid!)),
      ) === false
    )
      continue;
    const id = `${module.name}::${name}`;
    const other = byOid.get(oid) ?? shipped.notifications.get(oid)?.id;
    if (other !== undefined && other !== id) {
      left.push(`${name}: ${other} has the same OID`);
      continue;
    }
    byOid.set(oid, id);
    const missing = found.flatMap(([each, varbind]) => (varbind?.oid === undefined ? [each] : []));
    chosen.push({ node, varbinds, missing });
  }
  const cleared = findCleared(chosen.map(({ node }) => node.name));
  const notifications = chosen.map(({ node, varbinds, missing }) =>
    draftOne(node, varbinds, missing, cleared.get(node.name) ?? [], context),
  );
  return { notifications, left };
}

function draftOne(
  node: MibNode,
  varbinds: readonly Varbind[],
  missing: readonly string[],
  cleared: readonly string[],
  context: NotificationContext,
): DraftNotification {
  const { module, shipped, file, prefix } = context;
  const { name, oid, description, remarks } = node;
  const id = `${module.name}::${name}`;
  const own = varbinds.flatMap(({ node: column, known }) =>
    known === undefined ? [attributeOf(column, context)] : [],
  );
  const clears = cleared.map((each) => `${module.name}::${each}`);
  const words = wordsOf(name);
  const isPrefixed = prefix.every((word, at) => words[at] === word);
  const rest = isPrefixed ? words.slice(Math.min(prefix.length, Math.max(words.length - 2, 0))) : words;
  const same = shipped.notifications.get(oid!);
  const ships = same?.id === id ? same : undefined;
  const category =
    ships?.category ??
    categoryOf([
      rest.join(' '),
      (remarks?.['TYPE'] ?? '').toLowerCase(),
      varbinds.map(({ node: column }) => wordsOf(column.name).join(' ')).join(' '),
      wordsOf(module.name).join(' '),
      firstSentence(description).toLowerCase(),
    ]);
  const byState =
    clears.length > 0 ? undefined : (saidSeverityOf(varbinds, own) ?? stateOf(varbinds, rest.join(' ')));
  const severity =
    ships?.severity ??
    (clears.length > 0 && remarks?.['SEVERITY'] === undefined ? 'notice' : severityOf(node));
  const comments = [
    ...(ships !== undefined ? [`${id} ships with Waywiser. This definition takes its place.`] : []),
    ...missing.map((each) => `The varbind ${each} is in no module that was read.`),
    ...undecided(name, severity ?? byState?.severityFrom.values, category),
  ];
  return {
    file,
    id,
    oid: oid!,
    severity: severity === 'notice' ? undefined : severity,
    category,
    description: describe(description, name),
    message: messageOf(node, rest, varbinds, own),
    varbinds: [...new Set(varbinds.map(({ node: column, known }) => known?.key ?? column.name))],
    clears,
    ...byState,
    attributes: own.filter(({ key }, at) => own.findIndex((each) => each.key === key) === at),
    aim: aimOf(rest, varbinds),
    comments,
  };
}

/** What the drafted objects have, by column. */
function draftedVarbinds(objects: readonly DraftObject[]): Map<string, KnownVarbind> {
  const varbinds = new Map<string, KnownVarbind>();
  const byId = new Map(objects.map((object) => [idOf(object), object]));
  for (const object of objects) {
    const base = object.augments === undefined ? object : byId.get(object.augments);
    const index = base?.index ?? [];
    const isTable = object.index !== undefined || object.augments !== undefined;
    const tags = object.attributes.filter(({ tag, sensor }) => tag === true && sensor === undefined);
    const last = index.at(-1);
    const labels = [...tags, ...(last?.name === undefined ? [] : [last])].flatMap(fieldsOf);
    const known = {
      id: idOf(object),
      labels: isTable ? labels : [],
      isHeavy: object.collect === 'on_request',
    };
    for (const attribute of object.attributes) {
      const { key, oid, syntax, sensor } = attribute;
      const isText = /^Enum/.test(syntax);
      const fields =
        sensor === undefined ? fieldsOf(attribute) : [isText ? 'sensor.state.raw' : 'sensor.value'];
      varbinds.set(oid, { key, fields, object: known });
    }
    for (const part of object.index ?? []) {
      if (part.oid !== undefined && part.column !== undefined && part.name !== undefined)
        varbinds.set(part.oid, { key: part.column, fields: fieldsOf(part), object: known });
    }
  }
  return varbinds;
}

function fieldsOf({
  name,
  syntax,
}: {
  readonly name?: string | undefined;
  readonly syntax?: string | undefined;
}) {
  return compileFields(name ?? '', syntax ?? '').map(({ field }) => field);
}

/** Definitions name varbinds by the names of the MIB, so the names must be the same. */
function knownOf(
  { oid, name }: MibNode,
  columns: ReadonlyMap<string, KnownVarbind>,
): KnownVarbind | undefined {
  const known = columns.get(oid!);
  return known?.key === name ? known : undefined;
}

/** Only what an attribute of a notification can say: a number with a scale stays as it is sent. */
function attributeOf(column: MibNode, { claimField, addEnum }: NotificationContext): DraftAttribute {
  const { name, oid, description, enums, type } = column;
  const meaning = meaningOf(column, false);
  const plain = enums === undefined ? (type === 'OctetString' ? 'OctetString' : 'Integer32') : 'EnumInteger';
  const isScaled = meaning?.scale !== undefined;
  const syntax = meaning === undefined || isScaled ? plain : meaning.syntax;
  addEnum(column, syntax);
  return {
    key: name,
    oid: oid!,
    name: claimField(column, syntax),
    syntax,
    unit: isScaled || meaning?.unit === '1' ? undefined : meaning?.unit,
    description: describe(description, name),
    ...(isScaled
      ? { comments: [`The number is as it is sent: ${column.units ?? 'its DISPLAY-HINT moves the point'}.`] }
      : {}),
  };
}

function undecided(name: string, severity: unknown, category: unknown): string[] {
  if (severity === undefined && category === undefined)
    return [`decide: how bad ${name} is, and its category`];
  if (severity === undefined) return [`decide: how bad ${name} is; without a severity it is a notice`];
  return category === undefined ? [`decide: the category of ${name}`] : [];
}

/** A varbind such as alarmSeverity says it, with `cleared` for the end. */
function saidSeverityOf(varbinds: readonly Varbind[], own: readonly DraftAttribute[]) {
  for (const varbind of varbinds) {
    const { name, enums } = varbind.node;
    const isSeverity = /^(?:severity|priority)$/.test(wordsOf(name).at(-1)!);
    const values = enums === undefined || !isSeverity ? undefined : severitiesOf(Object.keys(enums));
    const field = fieldOf(varbind, own);
    if (values === undefined || field === undefined) continue;
    const cleared = Object.keys(enums!).filter((word) => /^clear(?:ed)?$/i.test(word));
    const severityFrom = { field, values };
    return cleared.length === 0 ? { severityFrom } : { severityFrom, clearsWhen: { field, in: cleared } };
  }
  return undefined;
}

/** The field that a varbind is written to. */
function fieldOf({ node, known }: Varbind, own: readonly DraftAttribute[]): string | undefined {
  return known?.fields[0] ?? fieldsOf(own.find(({ key }) => key === node.name) ?? {})[0];
}

/** Where a notification reports each change of a state, the state says how bad it is, and when it is over. */
function stateOf(varbinds: readonly Varbind[], words: string) {
  const states = varbinds.flatMap(({ node, known }) => {
    const levels = known === undefined ? undefined : levelsOf(node);
    return levels === undefined ? [] : [{ node, known: known!, levels }];
  });
  const [state] = states;
  if (
    state === undefined ||
    states.length > 1 ||
    !/\b(?:change|changed|changes|status|state|notification|transition)\b/.test(words)
  )
    return undefined;
  const names = new Map(Object.entries(state.node.enums!).map(([name, number]) => [number, name]));
  const { ok, warning = [], critical = [] } = state.levels;
  const field = state.known.fields[0]!;
  const severities = [
    ...warning.map((number) => [names.get(number)!, 'warning'] as const),
    ...critical.map((number) => [names.get(number)!, 'error'] as const),
  ];
  return {
    severityFrom: { field, values: Object.fromEntries(severities) },
    clearsWhen: { field, in: ok.map((number) => names.get(number)!) },
  };
}

/** `--#SUMMARY` with its arguments, or the words of the name; and what it is about. */
function messageOf(
  { name, remarks }: MibNode,
  words: readonly string[],
  varbinds: readonly Varbind[],
  own: readonly DraftAttribute[],
): string {
  const summary = summaryOf(
    remarks,
    varbinds.map((each) => fieldOf(each, own)),
  );
  if (summary !== undefined) return summary;
  const text = words.filter((word) => !/^(?:trap|notification|notif|notify)$/.test(word)).join(' ');
  const sentence = text || words.join(' ') || name;
  const subject =
    varbinds.find(({ known }) => known !== undefined && known.object.labels.length > 0)?.known?.object
      .labels ?? [];
  const texts = varbinds.filter(({ node }) => node.type === 'OctetString' && node.enums === undefined);
  const first =
    texts.find(({ node }) => sayingWords.test(wordsOf(node.name).at(-1)!)) ?? texts[0] ?? varbinds[0];
  const fields =
    subject.length > 0
      ? [...new Set([...subject.slice(0, 2), ...subject.slice(-1)])]
      : first === undefined
        ? []
        : [fieldOf(first, own)];
  const about = fields.filter((field) => field !== undefined).join('|');
  return `${sentence[0]!.toUpperCase()}${sentence.slice(1)}${about === '' ? '' : `: {${about}}`}`;
}

/** Of texts that say what has happened. */
const sayingWords =
  /^(?:descr|desc|description|message|msg|text|string|name|reason|detail|details|cause|info|information|summary)$/;

/** Undefined where an argument names no varbind. */
function summaryOf(remarks: MibNode['remarks'], fields: readonly (string | undefined)[]): string | undefined {
  const { SUMMARY: summary = '', ARGUMENTS: list = '' } = remarks ?? {};
  const places = [...list.matchAll(/\d+/g)].map(([number]) => Number(number));
  let at = 0;
  let isWhole = summary.length >= 4 && summary.length <= 200 && !/[{}"\\]/.test(summary);
  const text = summary.replace(/%(?:\d+\$)?[a-z]/g, () => {
    const field = fields[places[at++] ?? -1];
    if (field === undefined) isWhole = false;
    return `{${field}}`;
  });
  return isWhole ? text : undefined;
}

/** A part that comes or goes changes the inventory; otherwise the rows that the varbinds name are polled. */
function aimOf(words: readonly string[], varbinds: readonly Varbind[]): DraftNotification['aim'] {
  const text = words.join(' ');
  if (
    /\b(?:insert|inserted|insertion|remove|removed|removal|plugged|unplugged|installed)\b/.test(text) &&
    /\b(?:module|card|board|slot|fru|line ?card|unit|transceiver|sfp|supply|psu|fan|blade|disk|drive)\b/.test(
      text,
    )
  )
    return { rediscover: true };
  const rows = varbinds.flatMap(({ known }) =>
    known === undefined || known.object.isHeavy || known.object.labels.length === 0 ? [] : [known.object.id],
  );
  return rows.length === 0 ? undefined : { poll: [...new Set(rows)].slice(0, maxAimed) };
}

/** Objects that one notification polls. */
const maxAimed = 3;

function firstSentence(text = ''): string {
  return text.slice(0, 600).replace(/\s+/g, ' ').split(/\.\s/, 1)[0]!;
}
