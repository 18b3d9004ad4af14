import { groupName } from '../../drafts/draft-names.ts';
import type { DraftGroup } from '../../drafts/draft-set.ts';
import { idOf } from '../../drafts/draft-set.ts';
import { SecretDrafts } from '../credential-drafts.ts';
import { EnumDrafts } from '../enum-drafts.ts';
import { GroupDraft, SharedNames } from '../group-draft.ts';
import { ImportReport } from '../import-report.ts';
import type { ImportResult } from '../import-result.ts';
import type { SourceFile, SourceNode } from '../source/source-node.ts';
import { type Auth, importAuths } from './import-auths.ts';
import { importModule } from './import-module.ts';

/** The top keys of a file that are no modules of the format before version 0.23. */
const topKeys = new Set(['auths', 'modules', 'version']);

/**
 * Reads an snmp.yml: each module becomes an object group and a device group of its name. `isTaken` says whether an object group ships
 * under a name, which a module must not replace.
 */
export function importSnmpExporter(
  sources: readonly SourceFile[],
  isTaken: (objectGroup: string) => boolean,
): ImportResult {
  const report = new ImportReport();
  const enums = new EnumDrafts();
  const secrets = new SecretDrafts();
  const names = new SharedNames();
  const auths: Auth[] = [];
  const groups = new Map<string, GroupDraft>();
  for (const { root } of sources) {
    auths.push(...(root.get('auths')?.entries() ?? []).map(([name, auth]) => ({ name, auth })));
    for (const [module, node] of listModules(root, report)) {
      const name = groupName(module, 'module');
      if (groups.has(name)) {
        report.refuse(node, module, 'There is a module of this name already.');
        continue;
      }
      const group = new GroupDraft(name, names);
      groups.set(name, group);
      importModule(node, { group, enums, report });
      if (name === module) report.keep();
      else report.translate(node, module, `The name of its groups is “${name}”.`);
      const auth = node.get('auth');
      if (auth !== undefined) auths.push({ name: module, auth, moduleVersion: node.get('version') });
    }
  }
  const { deviceDefaults, networks } = importAuths(auths, secrets, report);
  const objectGroups: DraftGroup[] = [];
  const deviceGroups: DraftGroup[] = [];
  const objects = [...groups].flatMap(([id, group]) => {
    const built = group.build();
    const objectGroup = isTaken(id) ? `${id}-module` : id;
    objectGroups.push({ file, id: objectGroup, members: built.map(idOf) });
    deviceGroups.push({ file, id, members: [objectGroup] });
    return built;
  });
  return {
    files: sources.length,
    report,
    set: {
      objects,
      enums: enums.list(),
      objectGroups,
      deviceGroups,
      sysObjectIds: [],
      devices: [],
      ...(deviceDefaults && { deviceDefaults }),
      networks,
      secrets: secrets.files,
    },
  };
}

const file = 'snmp-exporter';

function listModules(root: SourceNode, report: ImportReport): [string, SourceNode][] {
  const modules = root.get('modules');
  const named =
    modules === undefined ? root.entries().filter(([key]) => !topKeys.has(key)) : modules.entries();
  if (modules !== undefined) report.refuseOthers(root, topKeys);
  return named.filter(([name, node]) => {
    if (node.isMap && node.get('metrics') !== undefined) return true;
    report.refuse(
      node,
      name,
      'A module is a map with `metrics`. generator.yml has none: import the snmp.yml that it generates.',
    );
    return false;
  });
}
