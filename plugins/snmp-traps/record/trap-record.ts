import type { CompiledNotification, Severity } from '../../../src/definitions/index.ts';
import type { Batch, Column, FieldDeclaration, RowInput, Value } from '../../../src/index.ts';
import { ownRecord } from '../../../src/index.ts';
import { buildColumns } from '../../../src/pipeline/index.ts';
import { formatVarbind } from '../../../src/snmp/index.ts';
import type { DecodedNotification, DecodedRow } from '../decoding/notification-decoder.ts';
import { type ReceivedNotification, toVarbind } from '../receiving/wire-form.ts';
import type { IdentifiedDevice } from '../senders/device-finder.ts';
import type { SharedColumns } from './shared-columns.ts';

/** What people and other plugins see of a notification. */
export interface TrapSummary {
  readonly trapId: string;
  /** The id of its definition, or its OID. */
  readonly name: string;
  readonly oid: string;
  readonly severity: Severity;
  readonly category: string;
  readonly message: string | undefined;
  /** What it is about: its values, in the order of the definition. */
  readonly about: string;
}

export interface RecordSettings {
  readonly varbinds: 'none' | 'unknown' | 'all';
  readonly severities: Readonly<Record<string, Severity | undefined>>;
}

const unknownTrap = ownRecord('unknownTrap');
const booleanField: FieldDeclaration = { kind: 'boolean' };

/** Names, severity and message of a notification. */
export function summarizeTrap(
  trapId: string,
  received: ReceivedNotification,
  { definition, rows }: DecodedNotification,
  { severities }: Pick<RecordSettings, 'severities'>,
): TrapSummary {
  const { oid } = received;
  const [first] = rows;
  const fields = (field: string) => first?.labels[field] ?? first?.values[field] ?? ownField(field, received);
  return {
    trapId,
    name: definition?.id ?? oid,
    oid,
    severity: (definition && severities[definition.id]) ?? severityOf(definition, fields),
    category: definition?.category ?? 'other',
    message: definition?.message && formatMessage(definition.message, fields),
    about: identityOf(definition, first, fields),
  };
}

function severityOf(
  definition: CompiledNotification | undefined,
  fields: (field: string) => Value | undefined,
): Severity {
  const from = definition?.severityFrom;
  const value = from && fields(from.field);
  return (value === undefined ? undefined : from?.values[String(value)]) ?? definition?.severity ?? 'notice';
}

function formatMessage(
  parts: NonNullable<CompiledNotification['message']>,
  fields: (field: string) => Value | undefined,
): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      for (const field of part.anyOf) {
        const value = fields(field);
        if (value !== undefined && value !== '') return String(value);
      }
      return '?';
    })
    .join('');
}

function identityOf(
  definition: CompiledNotification | undefined,
  row: DecodedRow | undefined,
  fields: (field: string) => Value | undefined,
): string {
  if (definition?.identity !== undefined)
    return JSON.stringify(definition.identity.map((field) => fields(field) ?? null));
  return JSON.stringify(Object.values(row?.identity ?? {}));
}

/** The fields that messages and severities can use beside those of the varbinds. */
function ownField(field: string, received: ReceivedNotification): Value | undefined {
  switch (field) {
    case 'trap.source':
      return received.source;
    case 'trap.oid':
      return received.oid;
    case 'trap.version':
      return received.version;
    case 'trap.address':
      return received.agentAddress;
    default:
      return undefined;
  }
}

/** The batch of a notification: one row, or several when it names several rows of one table. */
export function buildTrapBatch(
  received: ReceivedNotification,
  decoded: DecodedNotification,
  { trapId, name, severity, category, message }: TrapSummary,
  { ref, tags, identity }: IdentifiedDevice,
  more: {
    readonly generation: number;
    readonly sequence: number;
    readonly timeMs: number;
    readonly clears: string | undefined;
    /** How often it has come again. */
    readonly repeats: number | undefined;
    readonly varbinds: RecordSettings['varbinds'];
    readonly columns: SharedColumns;
  },
): Batch {
  const { security, v1 } = received;
  const shown = more.varbinds === 'all' ? received.varbinds : more.varbinds === 'none' ? [] : decoded.unknown;
  const common: Record<string, Value | undefined> = {
    'trap.oid': received.oid,
    'trap.version': received.version,
    'trap.kind': received.kind,
    'trap.level': received.level,
    'trap.authenticated': received.level !== 'noAuthNoPriv',
    'trap.uptime': decoded.uptime,
    'trap.source': received.source,
    'trap.port': received.port,
    'trap.identity': identity,
    'trap.message': message,
    'trap.user': security?.user,
    'trap.engine': security?.engineId,
    'trap.context': security?.context === '' ? undefined : security?.context,
    'trap.enterprise': received.enterprise,
    'trap.generic': v1?.generic,
    'trap.specific': v1?.specific,
    'trap.address': received.agentAddress,
    'trap.clears': more.clears,
    'trap.repeats': more.repeats,
    'trap.varbinds':
      shown.length === 0 ? undefined : shown.map((varbind) => formatVarbind(toVarbind(varbind))),
  };
  const own = { 'trap.name': name, 'trap.severity': severity, 'trap.category': category };
  const built =
    decoded.rows.length === 1
      ? buildOneRow(trapId, own, common, decoded, more.columns)
      : buildColumns(
          decoded.rows.map(
            ({ labels, values }, position): RowInput => ({
              key: position === 0 ? trapId : `${trapId}.${position + 1}`,
              labels: { ...own, ...labels },
              values: { ...common, ...values },
            }),
          ),
          { 'trap.authenticated': booleanField, ...decoded.declarations },
        );
  return {
    device: ref,
    tags,
    record: decoded.definition?.id ?? unknownTrap,
    plan: ownRecord('traps'),
    kind: 'event',
    trapId,
    generation: more.generation,
    sequence: more.sequence,
    slotMs: received.timeMs,
    timeMs: more.timeMs,
    rows: built.rows,
    columns: built.columns,
  };
}

/** As `buildColumns` does, without its objects: most notifications have one row, and many of its values are those of others. */
function buildOneRow(
  key: string,
  own: Readonly<Record<string, string>>,
  common: Readonly<Record<string, Value | undefined>>,
  { rows, declarations }: DecodedNotification,
  shared: SharedColumns,
): Pick<Batch, 'rows' | 'columns'> {
  const { labels, values } = rows[0]!;
  const ofRow: Record<string, readonly string[]> = {};
  for (const field in own) ofRow[field] = [own[field]!];
  for (const field in labels) ofRow[field] = [labels[field]!];
  const columns: Column[] = [];
  const add = (field: string, value: Value) => {
    const column = shared.get(field, value, declarations[field]);
    if (column !== undefined) columns.push(column);
  };
  for (const field in values) add(field, values[field]!);
  for (const field in common) {
    const value = common[field];
    if (value !== undefined && values[field] === undefined) add(field, value);
  }
  return { rows: { count: 1, keys: [key], labels: ofRow }, columns };
}
