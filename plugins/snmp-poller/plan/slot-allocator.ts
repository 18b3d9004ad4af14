import { type CompiledAttribute, findSyntax } from '../../../src/definitions/index.ts';
import type { Oid } from '../../../src/index.ts';
import {
  type CompiledRequest,
  type CompileLimits,
  compileGet,
  compileTable,
} from '../../../src/snmp/index.ts';
import type { Read } from './poll-plan.ts';

/** The slots of one attribute. */
export interface Reading {
  readonly firstSlot: number;
  readonly instances: readonly string[];
}

interface Group {
  readonly instances: readonly string[];
  readonly isForeign: boolean;
  readonly columns: Map<Oid, { readonly isText: boolean }>;
}

const scalar: readonly string[] = ['0'];
const sysUpTime = '1.3.6.1.2.1.1.3';
const snmpEngineBoots = '1.3.6.1.6.3.10.2.1.2';

/** Collects what a plan reads. Attributes with the same instances get adjacent slots, so that few packets are needed. */
export class SlotAllocator {
  readonly #limits: CompileLimits;
  /** One list object for equal lists of instances, so that tables with the same rows are read together. */
  readonly #lists = new Map<string, readonly string[]>([['0', scalar]]);
  /** The object that stands for a list: comparing long lists by their texts is expensive. */
  readonly #interned = new Map<readonly string[], readonly string[]>();
  readonly #groups = new Map<readonly string[], Map<boolean, Group>>();
  readonly #slots = new Map<Oid, Reading[]>();
  readonly reads: Read[] = [];
  readonly readsBoots: boolean;
  slots = 0;
  textSlots = 0;

  constructor(limits: CompileLimits) {
    this.#limits = limits;
    this.#add(scalar, false, sysUpTime, false);
    // An SNMPv1 agent without this object would refuse the whole request.
    this.readsBoots = limits.dialect.version !== '1';
    if (this.readsBoots) this.#add(scalar, false, snmpEngineBoots, false);
  }

  request(
    { column, fields, syntax }: CompiledAttribute,
    instances: readonly string[],
    isForeign: boolean,
  ): void {
    if (instances.length === 0) return;
    const kinds = fields.length > 0 ? fields.map(({ kind }) => kind) : [findSyntax(syntax)?.kind];
    const isText = kinds.some((kind) => kind === 'text' || kind === 'list');
    this.#add(this.#intern(instances), isForeign, column, isText);
  }

  /** Assigns a slot to every requested value. */
  allocate(): void {
    const groups = [...this.#groups.values()].flatMap((both) => [...both.values()]);
    groups.sort((a, b) => Number(a.isForeign) - Number(b.isForeign));
    for (const { instances, isForeign, columns } of groups) {
      // Texts first, so that the list that holds the texts of a device can be short.
      const sorted =
        instances === scalar
          ? [...columns]
          : [...columns].sort(([, a], [, b]) => Number(b.isText) - Number(a.isText));
      const firstSlot = this.slots;
      for (const [column, { isText }] of sorted) {
        const reading = { firstSlot: this.slots, instances };
        const others = this.#slots.get(column);
        if (others === undefined) this.#slots.set(column, [reading]);
        else others.push(reading);
        this.slots += instances.length;
        if (isText) this.textSlots = this.slots;
      }
      this.reads.push({ columns: sorted.map(([column]) => column), instances, firstSlot, isForeign });
    }
  }

  /** The slots of a column at these instances. */
  find(column: Oid, instances: readonly string[]): Reading | undefined {
    const list = this.#intern(instances);
    return this.#slots.get(column)?.find((reading) => reading.instances === list);
  }

  *compileRequests(isForeign: boolean): Generator<void, CompiledRequest[]> {
    const requests: CompiledRequest[] = [];
    for (const read of this.reads) {
      if (read.isForeign !== isForeign) continue;
      for (const part of splitTable(read)) {
        requests.push(...this.#compile(part));
        yield;
      }
    }
    return requests;
  }

  #compile({ columns, instances, firstSlot }: Omit<Read, 'isForeign'>): CompiledRequest[] {
    if (instances !== scalar) return compileTable({ ...this.#limits, columns, instances, firstSlot });
    return [compileGet({ ...this.#limits, oids: columns.map((column) => `${column}.0`), firstSlot })];
  }

  #add(instances: readonly string[], isForeign: boolean, column: Oid, isText: boolean): void {
    const both = this.#groups.get(instances) ?? new Map<boolean, Group>();
    this.#groups.set(instances, both);
    const group = both.get(isForeign) ?? { instances, isForeign, columns: new Map() };
    both.set(isForeign, group);
    if (!group.columns.has(column)) group.columns.set(column, { isText });
  }

  #intern(instances: readonly string[]): readonly string[] {
    const interned = this.#interned.get(instances);
    if (interned !== undefined) return interned;
    const text = instances.join(' ');
    const list = this.#lists.get(text) ?? instances;
    this.#lists.set(text, list);
    this.#interned.set(instances, list);
    return list;
  }
}

/** Values per compiled request. One extra packet per part is negligible compared with the packets of the table. */
const maxPartValues = 4_096;
/** Characters of the indexes of a part: a part is compiled in one step, and long indexes take long. */
const maxPartCharacters = 262_144;

/** Splits a long table into parts: some columns with all rows, or some rows of one column. */
function* splitTable({ columns, instances, firstSlot }: Read): Generator<Omit<Read, 'isForeign'>> {
  const rows = instances.length;
  const characters = instances.reduce((sum, instance) => sum + instance.length, 0);
  const maxValues = Math.ceil(Math.min(maxPartValues, (maxPartCharacters * rows) / characters));
  if (rows * columns.length <= maxValues) {
    yield { columns, instances, firstSlot };
    return;
  }
  const columnsPerPart = Math.max(1, Math.floor(maxValues / rows));
  for (let column = 0; column < columns.length; column += columnsPerPart) {
    const part = columns.slice(column, column + columnsPerPart);
    const rowsPerPart = part.length > 1 ? rows : maxValues;
    for (let row = 0; row < rows; row += rowsPerPart) {
      const some = rowsPerPart >= rows ? instances : instances.slice(row, row + rowsPerPart);
      yield { columns: part, instances: some, firstSlot: firstSlot + column * rows + row };
    }
  }
}
