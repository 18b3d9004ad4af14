import { basename } from 'node:path';
import { normalizeOid } from '../../../src/model/oid.ts';
import { groupName, UniqueNames } from '../../drafts/draft-names.ts';
import { type DraftGroup, type DraftSysObjectId, idOf } from '../../drafts/draft-set.ts';
import { EnumDrafts } from '../enum-drafts.ts';
import { GroupDraft, SharedNames } from '../group-draft.ts';
import { ImportReport } from '../import-report.ts';
import type { ImportResult, KnownDefinitions } from '../import-result.ts';
import type { SourceFile, SourceNode } from '../source/source-node.ts';
import { importMetric, importTag } from './import-metrics.ts';
import { partWords, profileWords } from './profile-keys.ts';

interface Profile {
  /** The file's name, by which others extend it. */
  readonly file: string;
  readonly root: SourceNode;
  readonly name: string;
  readonly group: GroupDraft;
}

/**
 * Reads the profiles of Kentik or Datadog: each file becomes an object group, and a device group with those that it extends. Its
 * sysObjectIDs choose the device group.
 */
export function importProfiles(
  dialect: 'datadog' | 'kentik',
  sources: readonly SourceFile[],
  known: KnownDefinitions,
): ImportResult {
  const report = new ImportReport();
  const enums = new EnumDrafts();
  const names = new SharedNames();
  const stems = new UniqueNames('-');
  const profiles = new Map<string, Profile>();
  for (const { name: path, root } of sources) {
    const file = basename(path);
    const name = stems.nameFor(groupName(file.replace(/\.ya?ml$/, ''), 'profile'), path);
    const group = new GroupDraft(name, names);
    if (profiles.has(file))
      report.translate(root, file, 'A file of this name was read before, and is the one that others extend.');
    profiles.set(profiles.has(file) ? path : file, { file, root, name, group });
    report.refuseOthers(root, profileWords.known, profileWords.reasons);
    for (const selector of root.get('selector')?.items() ?? []) {
      report.refuseOthers(selector, partWords.selector.known, partWords.selector.reasons);
      const ids = selector.get('sysobjectid');
      if (ids !== undefined)
        report.refuseOthers(ids, partWords.sysObjectIds.known, partWords.sysObjectIds.reasons);
    }
    const context = { group, enums, report, known };
    for (const metric of root.get('metrics')?.items() ?? []) importMetric(metric, context);
    for (const tag of root.get('metric_tags')?.items() ?? [])
      if (tag.isMap) importTag(tag, [], undefined, context);
  }
  const groups = new ProfileGroups(dialect, profiles, known, report);
  const objects = [...profiles.values()].flatMap(({ name, group }) => groups.addObjects(name, group.build()));
  for (const profile of profiles.values()) groups.addProfile(profile);
  const { objectGroups, deviceGroups, sysObjectIds } = groups;
  return {
    files: sources.length,
    report,
    set: {
      objects,
      enums: enums.list(),
      objectGroups,
      deviceGroups,
      sysObjectIds,
      devices: [],
      secrets: new Map(),
    },
  };
}

class ProfileGroups {
  readonly objectGroups: DraftGroup[] = [];
  readonly deviceGroups: DraftGroup[] = [];
  readonly sysObjectIds: DraftSysObjectId[] = [];
  readonly #dialect: string;
  readonly #profiles: ReadonlyMap<string, Profile>;
  readonly #known: KnownDefinitions;
  readonly #report: ImportReport;
  readonly #members = new Map<string, string>();
  readonly #owners = new Map<string, string>();
  /** The files that others extend. */
  readonly #extended: ReadonlySet<string | undefined>;

  constructor(
    dialect: string,
    profiles: ReadonlyMap<string, Profile>,
    known: KnownDefinitions,
    report: ImportReport,
  ) {
    this.#dialect = dialect;
    this.#profiles = profiles;
    this.#known = known;
    this.#report = report;
    this.#extended = new Set(
      [...profiles.values()].flatMap(({ root }) => extendsOf(root).map((each) => each.text)),
    );
  }

  addObjects<Each extends { readonly mib: string; readonly entry: string }>(
    name: string,
    objects: Each[],
  ): Each[] {
    if (objects.length === 0) return objects;
    const id = this.#known.objectGroups.has(name) ? `${this.#dialect}-${name}` : name;
    this.#members.set(name, id);
    this.objectGroups.push({ file: this.#dialect, id, members: objects.map(idOf) });
    return objects;
  }

  addProfile(profile: Profile): void {
    const { name, root, file } = profile;
    const ids = listSysObjectIds(root);
    if (ids.length === 0 && this.#extended.has(file)) return;
    const members = [...this.#collect(profile)];
    if (members.length === 0) return;
    const id = this.#known.deviceGroups.has(name) ? `${this.#dialect}-${name}` : name;
    this.deviceGroups.push({ file: this.#dialect, id, members });
    for (const node of ids) this.#addSysObjectId(node, id);
  }

  /** The object groups of a profile, those that it extends first. Each profile is visited once, however many ways lead to it. */
  #collect(profile: Profile): Set<string> {
    const members = new Set<string>();
    const visited = new Set([profile]);
    const path = new Set([profile]);
    const pending = [{ profile, extended: extendsOf(profile.root).values() }];
    for (let top = pending.at(-1); top !== undefined; top = pending.at(-1)) {
      const node = top.extended.next().value;
      if (node === undefined) {
        const own = this.#members.get(top.profile.name);
        if (own !== undefined) members.add(own);
        path.delete(top.profile);
        pending.pop();
        continue;
      }
      const file = node.text ?? '';
      const next = this.#profiles.get(file);
      if (next === undefined)
        this.#report.refuse(node, file, 'There is no profile of this name among the files.');
      else if (path.has(next)) this.#report.refuse(node, file, 'Profiles extend each other in a circle.');
      else if (!visited.has(next)) {
        visited.add(next);
        path.add(next);
        pending.push({ profile: next, extended: extendsOf(next.root).values() });
      }
    }
    return members;
  }

  #addSysObjectId(node: SourceNode, deviceGroup: string): void {
    const text = (node.text ?? '').trim();
    const oid = normalizeOid(text.replace(/\.?\*$/, ''));
    if (oid === undefined || oid.split('.').length < 4) {
      this.#report.refuse(
        node,
        text || 'sysobjectid',
        'Only an OID, or the beginning of one with * at its end, chooses a device group.',
      );
      return;
    }
    const owner = this.#owners.get(oid);
    if (owner === undefined) {
      this.#owners.set(oid, deviceGroup);
      this.sysObjectIds.push({ file: this.#dialect, oid, deviceGroup });
      this.#report.keep();
    } else if (owner !== deviceGroup)
      this.#report.refuse(node, text, `The device group “${owner}” has this sysObjectID already.`);
  }
}

function extendsOf(root: SourceNode): SourceNode[] {
  return root.get('extends')?.items() ?? [];
}

function listSysObjectIds(root: SourceNode): SourceNode[] {
  const selected = (root.get('selector')?.items() ?? []).flatMap(
    (each) => each.get('sysobjectid')?.get('include')?.items() ?? [],
  );
  return [...((root.get('sysobjectid') ?? root.get('sysObjectID'))?.items() ?? []), ...selected];
}
