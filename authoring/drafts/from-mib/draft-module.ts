import { findSyntax } from '../../../src/definitions/index.ts';
import type { MibModule, MibNode, MibSet } from '../../mib/index.ts';
import { describe, groupName, isUsableName, UniqueNames } from '../draft-names.ts';
import type { DraftAttribute, DraftEnum, DraftIndexPart, DraftObject, DraftSet } from '../draft-set.ts';
import { meaningOf } from './column-meaning.ts';
import { areaOf, commonLength, fieldOf, withoutPrefix, wordsOf } from './field-words.ts';
import { findOlder, hasSuccessor } from './generations.ts';
import { indexPartsOf } from './index-parts.ts';
import { discoveryOf, findGroups, type MibGroup } from './mib-groups.ts';
import { draftNotifications } from './notification-drafts.ts';
import { splitRecords } from './record-drafts.ts';
import { isAlwaysZero, withSaidStates } from './said-states.ts';
import { withUnitColumn } from './said-units.ts';
import { findSensors, isHeavy, missingOf } from './sensor-drafts.ts';
import type { ShippedColumns } from './shipped-columns.ts';

export interface ModuleDraft {
  readonly set: DraftSet;
  /** What is left out, with the reason. */
  readonly left: readonly string[];
}

/** What of a module is drafted. */
export interface Selection {
  /** Tables and groups of scalars; all by default. */
  readonly takesGroup?: (group: MibGroup) => boolean;
  /** Columns and scalars; all by default. */
  readonly takesColumn?: (column: MibNode) => boolean;
  /** Notifications; all by default. The second says whether one of its varbinds is drafted. */
  readonly takesNotification?: (notification: MibNode, isAboutDrafted: boolean) => boolean;
  /** The definitions that ship stay: a drafted object of the same name extends the one that ships. */
  readonly isBeside?: boolean;
}

/** Drafts the tables and scalars of a module, or a part of them. */
export function draftModule(
  module: MibModule,
  mibs: MibSet,
  shipped: ShippedColumns,
  selection: Selection = {},
): ModuleDraft {
  const drafting = new Drafting(module, shipped, selection);
  const left: string[] = [];
  for (const group of findGroups(module, mibs)) {
    if (selection.takesGroup?.(group) === false) continue;
    const reason = drafting.add(group);
    if (reason !== undefined) left.push(`${group.name}: ${reason}`);
  }
  const set = drafting.finish(mibs);
  return { set, left: [...left, ...drafting.left] };
}

/** An attribute is drafted before the fields of the whole module are known. */
class Drafting {
  readonly left: string[] = [];
  readonly #module: MibModule;
  readonly #shipped: ShippedColumns;
  readonly #selection: Selection;
  readonly #file: string;
  readonly #prefix: readonly string[];
  readonly #objects: DraftObject[] = [];
  readonly #enums = new Map<string, DraftEnum>();
  readonly #fields = new UniqueNames();
  readonly #roots = new UniqueNames();
  /** By what the rows are found with: the first object that has them. */
  readonly #owners = new Map<string, { readonly id: string; readonly root: string }>();

  constructor(module: MibModule, shipped: ShippedColumns, selection: Selection) {
    this.#module = module;
    this.#shipped = shipped;
    this.#selection = selection;
    this.#file = groupName(module.name.toLowerCase(), 'mib');
    const objects = module.nodes.filter(({ kind }) => kind === 'column' || kind === 'scalar');
    const lists = objects.map(({ name }) => wordsOf(name));
    this.#prefix = (lists[0] ?? []).slice(0, commonLength(lists));
    const shippedFields = new Set<string>();
    for (const { oid } of objects) {
      const { name, syntax } = shipped.attributes.get(oid!) ?? {};
      if (name === undefined || syntax === undefined || shippedFields.has(name)) continue;
      shippedFields.add(name);
      this.#claim(name, syntax, oid!);
    }
  }

  /** The reason when nothing of the group is worth collecting. */
  add(group: MibGroup): string | undefined {
    const { name, index, isObsolete, isDeprecated } = group;
    if (isObsolete) return 'obsolete';
    if (!isUsableName(name)) return 'its name cannot be a key';
    const isTable = index !== undefined;
    if (isTable && index.columns === undefined)
      return `${index.missing} of its index is in no module; name the directory of its MIB with --mibs`;
    const own = new Set(index?.columns?.map(({ oid }) => oid));
    const columns = group.columns
      .filter((column) => !own.has(column.oid) && this.#isCollected(column, group, isTable))
      .map(withSaidStates);
    if (columns.length === 0) return 'nothing in it can be collected';
    const known = this.#shipped.objects.has(`${this.#module.name}::${name}`);
    const isBeside = known && this.#selection.isBeside === true;
    const entry = isBeside ? `${name}More` : name;
    const id = `${this.#module.name}::${entry}`;
    const key = index?.columns?.map(({ oid }) => oid).join();
    const base = key === undefined ? undefined : this.#baseOf(key);
    const root = this.#knownBranch(columns) ?? base?.root ?? this.#rootOf(group);
    const comments = [
      ...(known && !isBeside ? [`${id} ships with Waywiser. This definition takes its place.`] : []),
      ...(isDeprecated ? [`${name} is deprecated in the MIB.`] : []),
    ];
    const parts =
      isTable && base === undefined ? this.#indexOf(index.columns!, index.implied, root, group) : undefined;
    const attributes = this.#attributesOf(columns, id, root, group, isTable);
    const object: DraftObject = {
      file: this.#file,
      mib: this.#module.name,
      entry,
      type: attributes.some(({ metric, syntax }) => metric !== undefined || /KeepID$/.test(syntax))
        ? 'dynamic'
        : 'static',
      augments: base?.id,
      index: parts?.parts,
      discoveryAttribute:
        columns.find(({ name: key }) => key === this.#shipped.objects.get(id))?.name ?? discoveryOf(columns),
      collect: isHeavy(group) ? 'on_request' : undefined,
      attributes,
      comments: [...comments, ...(parts?.comments ?? [])],
    };
    const objects = splitRecords(object, { ...group, columns });
    this.#objects.push(...objects);
    // Others extend it where it has a record of its own.
    const isBase = objects[0]!.record === undefined && objects[0]!.entry === entry;
    if (key !== undefined && base === undefined && isBase) this.#owners.set(key, { id, root });
    return undefined;
  }

  finish(mibs: MibSet): DraftSet {
    const objects = withoutBranches(this.#objects);
    const { notifications, left } = draftNotifications({
      module: this.#module,
      mibs,
      shipped: this.#shipped,
      objects,
      file: this.#file,
      prefix: this.#prefix,
      takes: this.#selection.takesNotification,
      claimField: (column, syntax) => {
        const words = withoutPrefix(wordsOf(column.name), this.#prefix);
        const root = this.#prefix.join('_') || this.#file.replace(/[^a-z0-9]+/g, '_');
        return this.#claim(
          `${/^[a-z]/.test(root) ? root : `x${root}`}.${fieldOf(shorten(words, syntax))}`,
          syntax,
          column.oid!,
        );
      },
      addEnum: (column, syntax) => this.#addEnum(column, syntax),
    });
    this.left.push(...left);
    const members = this.#objects.map(({ mib, entry }) => `${mib}::${entry}`);
    return {
      objects,
      notifications,
      enums: [...this.#enums.values()],
      objectGroups: members.length === 0 ? [] : [{ file: this.#file, id: this.#file, members }],
      deviceGroups: [],
      sysObjectIds: [],
      devices: [],
      secrets: new Map(),
    };
  }

  #isCollected(column: MibNode, group: MibGroup, isTable: boolean): boolean {
    const { name, access, status, oid } = column;
    if (this.#selection.takesColumn?.(column) === false) return false;
    if (oid === undefined || !isUsableName(name) || !/^read-|^accessible/.test(access ?? 'read-only'))
      return false;
    if (status === 'obsolete' || access === 'accessible-for-notify') return false;
    if (meaningOf(column, isTable) === undefined) return false;
    if (/passw|passphrase|secret|community(?:name|string)?$|privkey|authkey|presharedkey/i.test(name)) {
      this.left.push(`${name}: its name says that it is a secret`);
      return false;
    }
    if (isAlwaysZero(column)) {
      this.left.push(`${name}: its description says that it is always 0`);
      return false;
    }
    return !hasSuccessor(column, group.columns);
  }

  #baseOf(key: string): { readonly id: string; readonly root: string } | undefined {
    const drafted = this.#owners.get(key);
    if (drafted !== undefined) return drafted;
    const shipped = this.#shipped.rows.get(key);
    const isOwn = shipped?.startsWith(`${this.#module.name}::`) === true;
    if (shipped === undefined || (isOwn && this.#selection.isBeside !== true)) return undefined;
    for (const [field, column] of this.#shipped.fields.get(shipped) ?? [])
      this.#fields.nameFor(field, column);
    const part = this.#shipped.indexParts.get(key.split(',')[0]!);
    return { id: shipped, root: (part?.name ?? 'row').split('.')[0]! };
  }

  /** The branch that the shipped fields of these columns share. */
  #knownBranch(columns: readonly MibNode[]): string | undefined {
    const known = columns.flatMap(({ oid }) => {
      const name = this.#shipped.attributes.get(oid!)?.name;
      return name === undefined ? [] : [name.split('.')];
    });
    const length = commonLength(known);
    return known.length < 2 || length === 0 ? undefined : known[0]!.slice(0, length).join('.');
  }

  #rootOf({ name, index }: MibGroup): string {
    const known = index?.columns?.flatMap(
      ({ oid }) => this.#shipped.indexParts.get(oid!)?.name?.split('.')[0] ?? [],
    );
    const words = wordsOf(name.replace(/(?:Entry|Table|Group|Objects?)$/, ''));
    const rest = withoutPrefix(words, this.#prefix);
    const area = known?.at(-1) ?? areaOf(rest);
    const [prefix = this.#file.replace(/[^a-z0-9]+/g, '_')] =
      this.#prefix.length === 0 ? [] : [this.#prefix.join('_')];
    const long = rest.join() === this.#prefix.join() ? prefix : `${prefix}.${rest.join('_')}`;
    const root = (/^[a-z]/.test(long) ? long : `x${long}`).slice(0, 120);
    // Scalars may stand beside the rows of the same thing.
    if (index === undefined) return root;
    if (area === undefined) return this.#roots.nameFor(root, name);
    return this.#roots.nameFor(area, name) === area ? area : this.#roots.nameFor(root, name);
  }

  #indexOf(columns: readonly MibNode[], implied: boolean, root: string, group: MibGroup) {
    const found = indexPartsOf(columns, implied, (column, syntax) => {
      this.#addEnum(column, syntax);
      if (/^InterfaceIndex/.test(syntax)) return this.#claim('netif', syntax, `${group.name} ${column.oid}`);
      const words = withoutPrefix(wordsOf(column.name), wordsOf(group.name));
      return this.#claim(`${root}.${fieldOf(shorten(words, syntax))}`, syntax, column.oid!);
    });
    const parts = found.parts.map((part): DraftIndexPart => {
      const known = this.#shipped.indexParts.get(part.oid!);
      return known === undefined || known.type.slice(0, 3) !== part.type.slice(0, 3)
        ? part
        : { ...part, name: known.name, syntax: known.syntax };
    });
    return { parts, comments: found.comments };
  }

  #attributesOf(
    columns: readonly MibNode[],
    id: string,
    root: string,
    group: MibGroup,
    isTable: boolean,
  ): DraftAttribute[] {
    const lists = columns.map(({ name }) => wordsOf(name));
    const common = columns.length > 1 ? commonLength(lists) : 0;
    const byName = new Map<string, DraftAttribute>();
    const written = new Set<string | undefined>();
    const older = findOlder(columns);
    const meanings = new Map(columns.map((column) => [column.name, meaningOf(column, isTable)!]));
    const sensors = findSensors({ ...group, columns }, meanings);
    // A field that two columns write belongs to neither alone.
    for (const name of [...older.keys(), ...older.values()]) sensors.delete(name);
    const ordered = columns.toSorted(
      (one, other) => Number(older.has(one.name)) - Number(older.has(other.name)),
    );
    for (const column of ordered) {
      const { name, oid, status } = column;
      const shipped = this.#shipped.attributes.get(oid!);
      // What ships in two records may not share a field in one.
      const isShared = shipped !== undefined && shipped.overrides === undefined && written.has(shipped.name);
      if (shipped?.overrides === undefined) written.add(shipped?.name);
      const known = isShared ? undefined : shipped;
      const meaning = meaningOf(column, isTable)!;
      const { comments = [], ...own } = known === undefined ? meaning : { ...known, comments: [] };
      const replaced = byName.get(older.get(name) ?? '');
      const across = replaced === undefined ? this.#olderElsewhere(column, id) : undefined;
      const target = replaced === undefined ? across : { object: id, attribute: replaced };
      const words = withoutPrefix(lists[columns.indexOf(column)]!.slice(common), wordsOf(group.name));
      const stripped = withoutPrefix(withoutPrefix(words, this.#prefix), [root.split('.').at(-1)!]);
      const wished =
        target?.attribute.name ?? known?.name ?? `${root}.${fieldOf(shorten(stripped, own.syntax))}`;
      this.#addEnum(column, own.syntax);
      byName.set(name, {
        ...own,
        ...(target !== undefined && known === undefined
          ? { syntax: sameUnit(own.syntax, target.attribute.syntax) }
          : {}),
        key: name,
        oid: oid!,
        name: target === undefined && known === undefined ? this.#claim(wished, own.syntax, oid!) : wished,
        overrides:
          target === undefined
            ? this.#overridden(known?.overrides, id, byName)
            : { object: target.object, attribute: target.attribute.key },
        sensor: known === undefined && target === undefined ? sensors.get(name) : undefined,
        missing: known === undefined && own.metric === 'gauge' ? missingOf(column) : undefined,
        description: known?.description ?? describe(column.description, name),
        // Nobody looks up the unit of what goes away.
        comments:
          status === 'deprecated' && known === undefined && ![...older.values()].includes(name)
            ? [`${name} is deprecated in the MIB.`]
            : group.isDeprecated
              ? []
              : withUnitColumn(comments, column, columns),
      });
    }
    return columns.map(({ name }) => byName.get(name)!);
  }

  /** In an object with the same rows: `ifHCInOctets` of ifXEntry replaces `ifInOctets` of ifEntry. */
  #olderElsewhere(
    column: MibNode,
    id: string,
  ): { readonly object: string; readonly attribute: DraftAttribute } | undefined {
    if (column.type !== 'Counter64' && !/HC|64/.test(column.name)) return undefined;
    for (const { mib, entry, attributes } of this.#objects) {
      const attribute = attributes.find(
        ({ key }) => key !== column.name && key === column.name.replace(/HC|64/, ''),
      );
      const object = `${mib}::${entry}`;
      if (attribute !== undefined && object !== id) return { object, attribute };
    }
    return undefined;
  }

  /** What the shipped definition overrides, where the draft has it. */
  #overridden(
    overrides: DraftAttribute['overrides'],
    id: string,
    own: ReadonlyMap<string, DraftAttribute>,
  ): DraftAttribute['overrides'] {
    if (overrides === undefined) return undefined;
    const { object, attribute } = overrides;
    if (object === id) return own.has(attribute) ? overrides : undefined;
    const drafted = this.#objects.find(({ mib, entry }) => `${mib}::${entry}` === object);
    return drafted?.attributes.some(({ key }) => key === attribute) === true ? overrides : undefined;
  }

  #claim(wished: string, syntax: string, owner: string): string {
    const suffix = findSyntax(syntax)?.suffix ?? '';
    return this.#fields.nameFor(`${wished}${suffix}`, owner).replace(suffixAt(suffix), '$1');
  }

  #addEnum({ enums, oid }: MibNode, syntax: string): void {
    if (enums === undefined || !/^Enum(?:Integer|Bitmap)/.test(syntax)) return;
    const kind = syntax === 'EnumBitmap' ? 'bitmap' : 'integer';
    const sorted = Object.entries(enums).sort(([, one], [, other]) => one - other);
    const names = new Map(sorted.map(([text, number]) => [number, text]));
    this.#enums.set(`${kind}/${oid}`, { file: this.#file, kind, oid: oid!, names });
  }
}

/** `peer.ip.addr` and `peer.ip.addr_2`, whose suffix is not at its end. */
function suffixAt(suffix: string): RegExp {
  return new RegExp(`${suffix.replaceAll('.', String.raw`\.`)}((?:_\\d+)?)$`);
}

/** A word that the suffix of the syntax says again. */
function shorten(words: readonly string[], syntax: string): string[] {
  const suffix = findSyntax(syntax)?.suffix ?? '';
  const said = {
    '.ip.addr': /^(?:inet|ip|ipv4|addr|address)$/,
    '.addr': /^(?:addr|address)$/,
    '.index': /^(?:index|if)$/,
    '.state': /^(?:state|flag)$/,
    '.name': /^name$/,
  }[suffix];
  if (said === undefined) return [...words];
  const end = words.findLastIndex((word) => !said.test(word));
  const short = words.slice(0, end + 1);
  if (short.at(-1) === 'phys') short[short.length - 1] = 'mac';
  if (short.length > 0) return short;
  return { '.ip.addr': ['address'], '.addr': ['mac'], '.index': ['interface'] }[suffix] ?? [...words];
}

/** The field of both has one unit. */
function sameUnit(own: string, older: string): string {
  return /^Counter/.test(own) && /^Bytes/.test(older) ? older : own;
}

/** A field that is a prefix of others becomes one below it. */
function withoutBranches(objects: readonly DraftObject[]): DraftObject[] {
  const full = (name: string, syntax: string) => name + (findSyntax(syntax)?.suffix ?? '');
  const branches = new Set<string>();
  for (const { attributes, index = [] } of objects) {
    for (const { name, syntax } of [...attributes, ...index]) {
      const steps = full(name ?? '', syntax ?? '').split('.');
      for (let length = 1; length < steps.length; length++) branches.add(steps.slice(0, length).join('.'));
    }
  }
  const fix = <Part extends { readonly name?: string | undefined; readonly syntax?: string | undefined }>(
    part: Part,
  ): Part =>
    part.name !== undefined && branches.has(full(part.name, part.syntax ?? ''))
      ? { ...part, name: `${part.name}.value` }
      : part;
  return objects.map((object) => ({
    ...object,
    attributes: object.attributes.map(fix),
    index: object.index?.map(fix),
  }));
}
