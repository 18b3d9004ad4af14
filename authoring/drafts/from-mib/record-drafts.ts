import type { DraftAttribute, DraftObject } from '../draft-set.ts';
import { withoutPrefix, wordsOf } from './field-words.ts';
import type { MibGroup } from './mib-groups.ts';

type RecordName = 'processor' | 'memory';

/** A column that is a field of a record of docs/vocabulary.md. */
interface Placed {
  readonly attribute: DraftAttribute;
  readonly record: RecordName;
  readonly field: string;
  /** The words that tell pools of one table apart, such as swap. */
  readonly pool: string;
}

/**
 * An object, with the columns that tell the use of processors and memory in objects of their own, whose records all devices share. Nothing
 * is left of an object that tells only one of them.
 */
export function splitRecords(object: DraftObject, group: MibGroup): DraftObject[] {
  const placed = object.attributes.flatMap((attribute) => placeOf(attribute, object, group) ?? []);
  const names = new Set(placed.map(nameOf));
  const sets = [...names]
    .map((name) =>
      takeEachFieldOnce(
        placed.filter((each) => nameOf(each) === name),
        object.attributes,
      ),
    )
    .filter(saysEnough);
  if (sets.length === 0) return [object];
  const moved = new Set(sets.flat().map(({ attribute }) => attribute.key));
  const rest = object.attributes.filter(({ key }) => !moved.has(key));
  const isEmpty = rest.every(({ tag }) => tag === true);
  const parts = sets.map((set, place) => {
    const isOnly = sets.every((other) => other === set || other[0]!.record !== set[0]!.record);
    return partOf(set, object, group, { isWhole: isEmpty && place === 0, isOnly });
  });
  if (isEmpty) return parts;
  const { discoveryAttribute } = object;
  const found = rest.find(({ key }) => key === discoveryAttribute) ?? rest.find(({ tag }) => tag !== true);
  return [{ ...object, attributes: rest, discoveryAttribute: (found ?? rest[0]!).key }, ...parts];
}

const nameOf = ({ record, pool }: Placed) => `${record} ${pool}`;

const summaries =
  /\b(?:user|system|kernel|idle|nice|wait|iowait|interrupts?|irq|softirq|steal|guest|thresh\w*|max\w*|min|minimum|limit|peak|highest|lowest|high|low|rising|falling|warning|critical|alarm|rate|flash|disk|reserved|committed|per|rated|ovrflw|overflow|history|process|thread|task|session)\b/;

function placeOf(
  attribute: DraftAttribute,
  { mib, entry }: DraftObject,
  { name }: MibGroup,
): Placed | undefined {
  const { key, name: wished, metric, syntax, sensor, scale, overrides } = attribute;
  const isElsewhere = overrides !== undefined && overrides.object !== `${mib}::${entry}`;
  if (metric !== 'gauge' || sensor !== undefined || scale !== undefined || isElsewhere) return undefined;
  const area = wordsOf(name.replace(/(?:Entry|Table|Group|Objects?)$/, ''));
  const words = withoutPrefix(wordsOf(key), area);
  const text = words.join(' ').replace(/([a-z])(?=\d)/g, '$1 ');
  const about = `${area.join(' ')} ${text}`;
  if (summaries.test(about)) return undefined;
  // What ships has its field already.
  if (/^processor\.usage(?:_\w+)?$/.test(wished)) {
    return { attribute, record: 'processor', field: wished.slice('processor.'.length), pool: '' };
  }
  const isShare = /^Percent\w*100$/.test(syntax) || wished === 'memory.usage';
  const isMemory = /\b(?:mem|memory|ram)\b/.test(about);
  if (isShare && !isMemory && /\b(?:cpus?|processors?)\b/.test(about)) {
    const span = spans.find(([pattern]) => pattern.test(text))?.[1];
    return { attribute, record: 'processor', field: span ?? 'usage', pool: '' };
  }
  if (!isMemory) return undefined;
  const field = isShare
    ? /\b(?:usage|used|util\w*|load)\b/.test(text) && 'usage'
    : /^Bytes/.test(syntax) && sizes.find(([pattern]) => pattern.test(text))?.[1];
  if (!field) return undefined;
  const pool = words.filter((word) => !quantities.test(word)).join('_');
  return { attribute, record: 'memory', field, pool };
}

const spans = [
  [/\b(?:5|five) ?s(?:ec\w*)?\b/, 'usage_5s'],
  [/\b(?:1|one) ?m(?:in\w*)?\b/, 'usage_1m'],
  [/\b(?:5|five) ?m(?:in\w*)?\b/, 'usage_5m'],
  [/\b15 ?m(?:in\w*)?\b/, 'usage_15m'],
] as const;

const sizes = [
  [/\blargest free\b|\bfree largest\b/, 'largest_free'],
  [/\bfree\b/, 'free'],
  [/\b(?:used|usage)\b/, 'used'],
  [/\bavail(?:able)?\b/, 'available'],
  [/\bbuffer(?:s|ed)?\b/, 'buffers'],
  [/\bcached?\b/, 'cached'],
  [/\bshared\b/, 'shared'],
  [/\b(?:total|size|capacity|installed)\b/, 'size'],
] as const;

const quantities =
  /^(?:mem|memory|ram|largest|free|used|usage|avail|available|buffers?|buffered|cached?|shared|total|size|capacity|installed|util\w*|load|percent\w*|in|use|physical|kb|bytes|hc|64|rev|sys|system)$/;

/** A column and the older one of the same value stay together. */
function takeEachFieldOnce(all: readonly Placed[], attributes: readonly DraftAttribute[]): Placed[] {
  const taken = new Map<string, string>();
  const once = all.filter(({ attribute, field }) => {
    const owner = attribute.overrides?.attribute ?? attribute.key;
    const first = taken.get(field) ?? owner;
    taken.set(field, first);
    return first === owner;
  });
  const keys = new Set(once.map(({ attribute }) => attribute.key));
  const isApart = ({ key, overrides }: DraftAttribute) =>
    (overrides !== undefined && !keys.has(overrides.attribute)) ||
    attributes.some((each) => each.overrides?.attribute === key && !keys.has(each.key));
  const whole = once.filter(({ attribute }) => !isApart(attribute));
  if (whole.some(({ field, record }) => record === 'memory' || field === 'usage')) return whole;
  const current = spans.find(([, span]) => whole.some(({ field }) => field === span))?.[1];
  return whole.map((each) => (each.field === current ? { ...each, field: 'usage' } : each));
}

function saysEnough(set: readonly Placed[]): boolean {
  return set.some(({ field, record }) => record === 'processor' || /^(?:used|free|usage)$/.test(field));
}

function partOf(
  set: readonly Placed[],
  object: DraftObject,
  { name, index }: MibGroup,
  { isWhole, isOnly }: { readonly isWhole: boolean; readonly isOnly: boolean },
): DraftObject {
  const { record, pool } = set[0]!;
  const { mib, augments, index: parts } = object;
  const entry = isWhole
    ? object.entry
    : `${object.entry}.${record}${pool === '' || isOnly ? '' : `.${pool}`}`;
  const id = `${mib}::${entry}`;
  const label =
    index === undefined
      ? undefined
      : object.attributes.find(
          ({ key, tag }) => tag === true && /^(?:name|descr|description|label)$/.test(wordsOf(key).at(-1)!),
        );
  const words = isOnly && index !== undefined ? [] : pool.split('_').filter(Boolean);
  const title = [record === 'processor' ? 'CPU' : 'Memory', ...words].join(' ');
  const column = parts?.at(-1)?.column;
  const place = index === undefined ? '' : column === undefined ? ' {index}' : ` {${column}}`;
  const attributes = set.map(({ attribute, field }): DraftAttribute => {
    const overrides = attribute.overrides && { object: id, attribute: attribute.overrides.attribute };
    const unit = record === 'processor' || field === 'usage' ? '%' : 'B';
    return { ...attribute, name: `${record}.${field}`, overrides, unit };
  });
  const keys = attributes.map(({ key }) => key);
  return {
    file: object.file,
    mib,
    entry,
    type: 'dynamic',
    record,
    labels: { [`${record}.name`]: label === undefined ? `${title}${place}` : `{${label.key}}` },
    comments: isWhole
      ? (object.comments ?? [])
      : [`The use of ${name}, in the record \`${record}\` of all devices.`],
    augments: index === undefined ? undefined : isWhole ? augments : (augments ?? `${mib}::${object.entry}`),
    // The labels of the record take the place of those of the index.
    index: isWhole ? parts?.map((part) => ({ ...part, name: undefined })) : undefined,
    discoveryAttribute: keys.includes(object.discoveryAttribute ?? '') ? object.discoveryAttribute : keys[0],
    collect: object.collect,
    attributes: label === undefined ? attributes : [{ ...label, isInTemplatesOnly: true }, ...attributes],
  };
}
