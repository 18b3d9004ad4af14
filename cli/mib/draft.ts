import type { DraftSet, MibGroup } from '../../authoring/drafts/index.ts';
import {
  draftModule,
  joinDrafts,
  mibDraftFailure,
  shippedColumns,
  writeDrafts,
} from '../../authoring/drafts/index.ts';
import type { MibModule, MibNode, MibSet } from '../../authoring/mib/index.ts';
import { suggestName } from '../../src/nearest-name.ts';
import { shippedDefinitions } from '../../src/own-package.ts';
import { readChosen } from '../choose-set.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { findMibPaths, openMibs } from './open-mibs.ts';
import { printDraft } from './print-draft.ts';

interface DraftOptions {
  readonly mibs?: readonly string[];
  readonly out: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** `waywiser mib draft MODULE[::ROW…] --mibs DIR --out DIR`. */
export async function draftMibs(
  names: readonly string[],
  { mibs: named, out, force, json = false }: DraftOptions,
): Promise<number> {
  const paths = findMibPaths(named);
  const mibs = openMibs(paths);
  const { compiled } = await readChosen({ directory: shippedDefinitions() });
  const shipped = shippedColumns(compiled);
  const sets: DraftSet[] = [];
  const left: string[] = [];
  for (const [name, rows] of rowsByModule(names)) {
    const module = findModule(name, mibs, paths);
    const unused = new Set(rows);
    const takesGroup = (group: MibGroup) => {
      const named = namesOf(group, module).filter((each) => rows.has(each));
      for (const each of named) unused.delete(each);
      return rows.size === 0 || named.length > 0;
    };
    const takesNotification = ({ name: notification }: MibNode, isAboutDrafted: boolean) =>
      unused.delete(notification) || isAboutDrafted || rows.size === 0;
    const draft = draftModule(module, mibs, shipped, { takesGroup, takesNotification });
    const [row] = unused;
    if (row !== undefined) throw unknownRow(row, module);
    sets.push(draft.set);
    left.push(...draft.left);
  }
  const set = joinDrafts(sets);
  if (set.objects.length + (set.notifications?.length ?? 0) === 0) {
    const reason =
      left.length === 0 ? 'it has no tables, scalars and notifications' : left.slice(0, 3).join('; ');
    throw mibDraftFailure('MIB_DRAFT_EMPTY', { module: names.join(', '), reason });
  }
  const intro = [
    `Drafted by \`waywiser mib draft\` from ${names.join(', ')}. Lines with "decide:" need you; remove them when done.`,
  ];
  const written = writeDrafts(set, out, { intro, force });
  printDraft({ set, written, left, out, json });
  return exitCodes.done;
}

/** `IF-MIB::ifEntry,ifXEntry` names two rows; a module without rows is drafted as a whole. */
function rowsByModule(names: readonly string[]): Map<string, ReadonlySet<string>> {
  const modules = new Map<string, Set<string>>();
  const whole = new Set<string>();
  for (const each of names) {
    const [module = '', rows] = each.split('::', 2);
    const list = modules.get(module) ?? new Set<string>();
    modules.set(module, list);
    if (rows === undefined) whole.add(module);
    for (const row of rows?.split(',') ?? []) list.add(row);
  }
  for (const module of whole) modules.set(module, new Set());
  return modules;
}

function findModule(name: string, mibs: MibSet, paths: readonly string[]): MibModule {
  const module = mibs.module(name);
  if (module !== undefined) return module;
  const suggestion = suggestName(
    name,
    mibs.modules().map((each) => each.name),
  );
  throw mibDraftFailure('MIB_MODULE_UNKNOWN', { module: name, paths: paths.join(', '), suggestion });
}

/** A row is named by itself, or by its table. */
function namesOf({ name, oid }: MibGroup, { nodes }: MibModule): string[] {
  const tables = nodes.filter((node) => node.kind === 'table' && `${node.oid}.1` === oid);
  return [name, ...tables.map((table) => table.name)];
}

function unknownRow(row: string, { name, nodes }: MibModule) {
  const rows = nodes.filter(({ kind }) => /^(?:row|notification)$/.test(kind)).map((node) => node.name);
  return mibDraftFailure('MIB_ROW_UNKNOWN', { row, module: name, suggestion: suggestName(row, rows) });
}
