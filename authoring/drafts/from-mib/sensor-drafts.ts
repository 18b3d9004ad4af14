import type { MibNode } from '../../mib/index.ts';
import type { DraftSensor } from '../draft-set.ts';
import type { ColumnMeaning } from './column-meaning.ts';
import { withoutPrefix, wordsOf } from './field-words.ts';
import type { MibGroup } from './mib-groups.ts';

interface Measured {
  readonly column: MibNode;
  readonly words: readonly string[];
  readonly class: string;
}

/** By column: the rows of the record `sensor` that a table or a group of scalars has, as its units, names and enums say. */
export function findSensors(
  { name, index, columns }: MibGroup,
  meanings: ReadonlyMap<string, ColumnMeaning>,
): Map<string, DraftSensor> {
  const sensors = new Map<string, DraftSensor>();
  const area = wordsOf(name.replace(/(?:Entry|Table|Group|Objects?)$/, ''));
  const known = columns.filter((column) => meanings.has(column.name));
  const isWritable = ({ access }: MibNode) => /write|create/.test(access ?? '');
  const read = known.filter((column) => !isWritable(column));
  const values = read.flatMap((column): Measured[] => {
    const words = wordsOf(column.name);
    const found = classOf(meanings.get(column.name)!, words, area);
    return found === undefined || words.some((word) => bounds.test(word))
      ? []
      : [{ column, words, class: found }];
  });
  const states = read.flatMap((column) => {
    const levels = meanings.get(column.name)!.syntax === 'EnumIntegerKeepID' ? levelsOf(column) : undefined;
    return levels === undefined ? [] : [{ column, levels }];
  });
  const label = known.find(
    (column) =>
      meanings.get(column.name)!.tag === true &&
      /^(?:name|descr|description|label|title)$/.test(wordsOf(column.name).at(-1)!),
  );
  const title = (words: readonly string[]) => sentence(withoutPrefix(words, area));
  const last = index?.columns?.at(-1);
  const base =
    index === undefined
      ? undefined
      : label !== undefined
        ? `{${label.name}}`
        : `${sentence(area.slice(1).length > 0 ? area.slice(1) : area)} {${last?.name ?? 'index'}}`;
  const nameFor = (column: MibNode, isOne: boolean) =>
    base === undefined
      ? title(wordsOf(column.name))
      : isOne
        ? base
        : `${base} ${title(wordsOf(column.name))}`;
  for (const { column, words, class: kind } of values) {
    const alike = values.filter((each) => each.class === kind);
    const state = values.length === 1 && states.length === 1 ? states[0] : undefined;
    const limits = alike.length === 1 ? limitsOf(column, known, meanings) : undefined;
    const direction = directionOf(words);
    sensors.set(column.name, {
      class: kind,
      name: nameFor(column, alike.length === 1),
      part: partOf([...area, ...words]),
      direction,
      state: state && { of: state.column.name, ...state.levels },
      limits,
    });
  }
  if (values.length === 1 && states.length === 1) return sensors;
  for (const { column, levels } of states) {
    const part = partOf([...area, ...wordsOf(column.name)]);
    if (part === undefined) continue;
    sensors.set(column.name, {
      class: 'state',
      name: nameFor(column, states.length === 1),
      part,
      state: levels,
    });
  }
  return sensors;
}

/** Words of columns that bound or summarise a value. */
const bounds =
  /^(?:threshold|thresh|limit|max|min|maximum|minimum|highest|lowest|nominal|rated|rating|config|setpoint|upper|lower|hysteresis|calibration|high|low|peak|warning|critical|delta|shutdown)$/;

function classOf(
  { syntax, metric, unit }: ColumnMeaning,
  words: readonly string[],
  area: readonly string[],
): string | undefined {
  if (metric !== 'gauge') return undefined;
  const text = [...area, ...words].join(' ');
  if (syntax.startsWith('Temperature')) return 'temperature';
  if (syntax.startsWith('Voltage')) return 'voltage';
  if (syntax.startsWith('Current')) return 'current';
  if (/^Power.*Watt$/.test(syntax)) return 'power';
  if (syntax.startsWith('Energy')) return 'energy';
  if (/^Signal.*DBm$/.test(syntax)) return 'signal';
  if (syntax === 'Decibel') return /\bsnr\b/.test(text) ? 'snr' : 'gain';
  if (syntax.startsWith('Freq'))
    return /\b(?:cpu|clock|processor|radio|channel)\b/.test(text) ? undefined : 'frequency';
  if (unit === 'rpm') return 'fan_speed';
  if (syntax.startsWith('Percent')) {
    if (/\bhumidity\b/.test(text)) return 'humidity';
    if (/\bbattery\b/.test(text) && /\b(?:charge|capacity)\b/.test(text)) return 'charge';
    if (/\bload\b/.test(words.join(' ')) && /\b(?:ups|output|input|phase|bank|outlet|pdu)\b/.test(text))
      return 'load';
    return undefined;
  }
  if (
    syntax.startsWith('Ticks') &&
    /\b(?:runtime|run time|time remaining|minutes remaining|remaining time)\b/.test(text)
  )
    return 'runtime';
  return undefined;
}

const parts: readonly (readonly [RegExp, string])[] = [
  [/^fans?$|^fantray$/, 'fan'],
  [/^(?:psu|supply|supplies|powersupply)$/, 'supply'],
  [/^(?:battery|batteries|batt)$/, 'battery'],
  [/^(?:disk|disks|drive|drives|hdd)$/, 'disk'],
  [/^(?:transceiver|sfp|xcvr|optic|optical|laser|dom|lane)$/, 'transceiver'],
  [/^(?:cpu|processor)$/, 'cpu'],
  [/^outlets?$/, 'outlet'],
  [/^banks?$/, 'bank'],
  [/^phases?$/, 'phase'],
  [/^probes?$/, 'probe'],
  [/^radios?$/, 'radio'],
  [/^(?:module|slot|card|board)s?$/, 'module'],
  [/^(?:chassis|ambient|inlet|enclosure)$/, 'chassis'],
  [/^ups$/, 'ups'],
];

function partOf(words: readonly string[]): string | undefined {
  if (words.join(' ').includes('power supply')) return 'supply';
  return parts.find(([pattern]) => words.some((word) => pattern.test(word)))?.[1];
}

function directionOf(words: readonly string[]): string | undefined {
  const found = words.find((word) => /^(?:rx|tx|input|output)$/.test(word));
  return found;
}

const good =
  /^(?:ok|okay|normal|good|up|on|online|healthy|operational|operating|operative|active|running|nominal|noerror|noalarm|inservice|optimal|green|ready|within|functional|working|fine|powergood|batterynormal|present)$/;
const poor =
  /^(?:warning|warn|minor|degraded|marginal|caution|low|high|belowlow|abovehigh|batterylow|yellow|attention|weak|testing|rebuilding|predictivefailure|noncritical|alert)$/;
const bad =
  /^(?:critical|major|fail|failed|failure|fault|faulty|faulted|down|shutdown|error|bad|dead|notoperational|nonrecoverable|inoperative|abnormal|red|alarm|batterydepleted|emergency|outofservice|offline|notfunctioning|malfunction|notok|broken|crashed)$/;

type Levels = Pick<NonNullable<DraftSensor['state']>, 'ok' | 'warning' | 'critical'>;

/** The numbers of an enum by what their names say; undefined for an enum that is no state of health. */
export function levelsOf({ enums = {} }: MibNode): Levels | undefined {
  const having = (pattern: RegExp) =>
    Object.entries(enums)
      .filter(([name]) => pattern.test(name.toLowerCase().replace(/[^a-z]/g, '')))
      .map(([, number]) => number);
  const [ok, warning, critical] = [having(good), having(poor), having(bad)];
  if (ok.length === 0 || warning.length + critical.length === 0) return undefined;
  return {
    ok,
    ...(warning.length === 0 ? {} : { warning }),
    ...(critical.length === 0 ? {} : { critical }),
  };
}

/** Columns that are limits of the only value of their class: with its syntax, a side and a level in their names. */
function limitsOf(
  value: MibNode,
  columns: readonly MibNode[],
  meanings: ReadonlyMap<string, ColumnMeaning>,
): DraftSensor['limits'] {
  const limits: Record<string, string> = {};
  const { syntax } = meanings.get(value.name)!;
  for (const column of columns) {
    if (column === value || meanings.get(column.name)?.syntax !== syntax) continue;
    const text = wordsOf(column.name).join(' ');
    const side = /\b(?:high|upper|over)\b/.test(text)
      ? 'high'
      : /\b(?:low|lower|under)\b/.test(text)
        ? 'low'
        : '';
    const level = /\b(?:critical|crit|major|shutdown|alarm)\b/.test(text)
      ? 'critical'
      : /\b(?:warning|warn|minor)\b/.test(text)
        ? 'warning'
        : '';
    if (side !== '' && level !== '') limits[`${side}_${level}`] ??= column.name;
  }
  return Object.keys(limits).length === 0 ? undefined : limits;
}

function sentence(words: readonly string[]): string {
  const text = words.join(' ');
  return text === '' ? 'Value' : `${text[0]!.toUpperCase()}${text.slice(1)}`;
}

/** Numbers that stand for no value, where the description says so. */
export function missingOf({ description = '', type, enums }: MibNode): readonly number[] | undefined {
  if (enums !== undefined || !/^(?:Integer32|Unsigned32|Gauge32)$/.test(type ?? '')) return undefined;
  const text = description.slice(0, 2_000).replace(/\s+/g, ' ');
  const numbers = new Set<number>();
  for (const part of text.split(/(?<=[a-z)])\. /)) {
    if (
      !/\b(?:not (?:available|supported|present|applicable|installed|implemented|known)|unknown|unavailable|unsupported|invalid|n\/a)\b/i.test(
        part,
      )
    )
      continue;
    for (const [number] of part.matchAll(
      /(?<![\w.-])(?:-1|-32768|-2147483648|32767|65535|2147483647|4294967295|-99\d*)(?![\w.])/g,
    ))
      numbers.add(Number(number));
  }
  return numbers.size === 0 ? undefined : [...numbers];
}

const heavy =
  /^(?:fdb|forward|forwarding|route|routes|routing|arp|nat|flow|flows|session|sessions|connection|connections|conn|log|logs|history|lease|leases|binding|bindings|cache|matrix|acl|rule|rules|trap|traps|notification|notifications)$/;

/** Whether a table has thousands of rows, or only settings: nobody wants it unasked. */
export function isHeavy({ name, index, columns }: MibGroup): boolean {
  if (index === undefined) return false;
  const words = wordsOf(name.replace(/(?:Entry|Table)$/, ''));
  const isSettings = columns.every(({ access }) => /write|create|not-accessible/.test(access ?? ''));
  return (
    isSettings ||
    words.some((word) => heavy.test(word)) ||
    /\bmac address\b|\bnet to (?:media|physical)\b/.test(words.join(' '))
  );
}
