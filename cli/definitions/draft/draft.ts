import { basename } from 'node:path';
import type { DraftSet } from '../../../authoring/drafts/index.ts';
import {
  draftFailure,
  draftModule,
  draftTables,
  groupName,
  joinDrafts,
  type ShippedColumns,
  shippedColumns,
  writeDrafts,
} from '../../../authoring/drafts/index.ts';
import type { MibNode, MibSet } from '../../../authoring/mib/index.ts';
import type { CompiledDefinitions } from '../../../src/definitions/index.ts';
import { findDeviceGroup } from '../../../src/definitions/index.ts';
import { isUnderOid, type Oid } from '../../../src/model/oid.ts';
import { readChosen, type SetOptions } from '../../choose-set.ts';
import { openMibs } from '../../mib/open-mibs.ts';
import { printDraft } from '../../mib/print-draft.ts';
import type { RequestOptions } from '../../snmp/options/request-options.ts';
import { withUsageErrors } from '../../snmp/usage.ts';
import { exitCodes } from '../../terminal/exit-codes.ts';
import { counted } from '../../terminal/plain-text.ts';
import { readAnsweredOids } from '../coverage/answered-oids.ts';
import { CoverageTally, knownIn } from '../coverage/measure-coverage.ts';
import { type NamedValues, nameUncollected } from '../coverage/name-uncollected.ts';
import { findUnnamedTables } from './unnamed-tables.ts';

interface DraftOptions extends RequestOptions, SetOptions {
  readonly out: string;
  readonly name?: string;
  readonly force?: boolean;
}

/** `waywiser draft RECORDING|TARGET --mibs DIR --out DIR`: definitions of what a device answers and none collects. */
export function draftAnswers(source: string, options: DraftOptions): Promise<number> {
  return withUsageErrors(async () => {
    const { out, force, json = false } = options;
    const { compiled } = await readChosen(options);
    const mibs = openMibs(options.mibs ?? []);
    const { received, sysObjectId } = await readAnsweredOids(
      source,
      options,
      () => new TaggedTally(compiled),
    );
    const { tally } = received;
    const { named, unnamed, places, unnamedFurther } = nameUncollected(tally, mibs);
    const name = groupName(options.name ?? nameOfSource(source), 'drafted');
    const left: string[] = [];
    const worth = named.filter(({ oid }) => isWorthDrafting(oid));
    if (worth.length < named.length) left.push(agentOwn);
    for (const { oid, object, columns } of unnamedFurther)
      left.push(`${oid}: ${counted(columns, 'further column')} of ${object}, which no MIB describes`);
    const { set: fromMibs, left: leftOfMibs } = draftNamed(worth, mibs, compiled);
    const tables = findUnnamedTables(unnamed, (position) => received.tagAt(places[position]!));
    const objects = draftTables(
      tables.filter(({ oid }) => isWorthDrafting(oid)),
      name,
    );
    const drafted = joinDrafts([fromMibs, { ...noDraft, objects }]);
    if (drafted.objects.length === 0) throw draftFailure('DRAFT_NOTHING_UNCOLLECTED', { source });
    const set = groupDraft(drafted, { name, file: name, sysObjectId, compiled });
    const intro = [
      `Drafted by \`waywiser draft\` from ${basename(source)}. Lines with "decide:" need you; remove them when done.`,
    ];
    const written = writeDrafts(set, out, { intro, force });
    printDraft({ set, written, left: [...left, ...leftOfMibs], out, json });
    return exitCodes.done;
  });
}

/** Beside what is counted, the tags of what nothing collects. */
class TaggedTally {
  readonly tally: CoverageTally;
  #tags = new Uint8Array(1 << 12);

  constructor(compiled: CompiledDefinitions) {
    this.tally = new CoverageTally(knownIn(compiled));
  }

  add(oid: Uint8Array, tag: number): boolean {
    const { unknown } = this.tally;
    const before = unknown.size;
    const isInOrder = this.tally.add(oid);
    if (unknown.size > before) {
      if (before === this.#tags.length) this.#grow();
      this.#tags[before] = tag;
    }
    return isInOrder;
  }

  /** Of an unknown OID. */
  tagAt(position: number): number {
    return this.#tags[position]!;
  }

  #grow(): void {
    const larger = new Uint8Array(this.#tags.length * 2);
    larger.set(this.#tags);
    this.#tags = larger;
  }
}

const noDraft: DraftSet = {
  objects: [],
  enums: [],
  objectGroups: [],
  deviceGroups: [],
  sysObjectIds: [],
  devices: [],
  secrets: new Map(),
};

/** Users, views, communities and targets of the agent itself. */
const agentOwnTree: Oid = '1.3.6.1.6.3';
const agentOwn = `${agentOwnTree}: the users, views and communities of the agent`;

function isWorthDrafting(oid: Oid): boolean {
  return oid !== agentOwnTree && !isUnderOid(oid, agentOwnTree);
}

function draftNamed(
  named: readonly NamedValues[],
  mibs: MibSet,
  compiled: CompiledDefinitions,
): { readonly set: DraftSet; readonly left: readonly string[] } {
  const shipped = shippedColumns(compiled);
  const nodes = new Set(named.flatMap((each) => each.nodes));
  const modules = new Set([...nodes].map(({ module }) => module));
  const drafts = [...modules].flatMap((module) => draftNodes(module, nodes, mibs, shipped));
  const set = joinDrafts(drafts.map((draft) => draft.set));
  return { set, left: drafts.flatMap((draft) => draft.left) };
}

function draftNodes(name: string, nodes: ReadonlySet<MibNode>, mibs: MibSet, shipped: ShippedColumns) {
  const module = mibs.module(name);
  if (module === undefined) return [];
  const takesColumn = (column: MibNode) => nodes.has(column);
  const takesGroup = ({ columns }: { readonly columns: readonly MibNode[] }) => columns.some(takesColumn);
  return [
    draftModule(module, mibs, shipped, {
      takesGroup,
      takesColumn,
      takesNotification: () => false,
      isBeside: true,
    }),
  ];
}

interface Place {
  readonly name: string;
  readonly file: string;
  readonly sysObjectId: Oid | undefined;
  readonly compiled: CompiledDefinitions;
}

/**
 * Puts the objects into one object group. A device whose group has `objects: auto` needs no more: it collects them by itself. Any
 * other gets a device group with them and what it has already.
 */
function groupDraft(set: DraftSet, { name, file, sysObjectId, compiled }: Place): DraftSet {
  const objectGroup = compiled.objectGroups.has(name) ? `${name}-more` : name;
  const objectGroups = [
    { file, id: objectGroup, members: set.objects.map(({ mib, entry }) => `${mib}::${entry}`) },
  ];
  const found = findDeviceGroup(compiled, sysObjectId);
  const known = found === undefined ? undefined : compiled.deviceGroups.get(found);
  if (known === undefined || known.auto !== undefined) return { ...set, objectGroups };
  const deviceGroup = compiled.deviceGroups.has(name) ? `${name}-more` : name;
  return {
    ...set,
    objectGroups,
    deviceGroups: [
      {
        file,
        id: deviceGroup,
        members: [...known.members, objectGroup],
        comments: [`As ${known.id}, and what is drafted here.`],
      },
    ],
    sysObjectIds: sysObjectId === undefined ? [] : [{ file, oid: sysObjectId, deviceGroup }],
  };
}

/** `cisco-c3750` of `recordings/cisco-c3750.snmprec.gz`, and a target without its port. */
function nameOfSource(source: string): string {
  return basename(source)
    .replace(/\.gz$/, '')
    .replace(/\.(?:snmprec|snmpwalk|walk|txt)$/, '')
    .replace(/^(?:udp6?:)?\[?([^\]]*?)\]?(?::\d+)?$/, '$1');
}
