import { groupName, UniqueNames } from '../../drafts/draft-names.ts';
import { type DraftDevice, type DraftGroup, idOf } from '../../drafts/draft-set.ts';
import { SecretDrafts } from '../credential-drafts.ts';
import { GroupDraft, SharedNames } from '../group-draft.ts';
import { ImportReport } from '../import-report.ts';
import type { ImportResult, KnownDefinitions } from '../import-result.ts';
import type { SourceFile } from '../source/source-node.ts';
import { importAgents } from './import-agents.ts';
import { importField, importTable } from './import-fields.ts';

/** Reads the [[inputs.snmp]] of telegraf.conf: each becomes an object group and a device group, its agents become devices. */
export function importTelegraf(sources: readonly SourceFile[], known: KnownDefinitions): ImportResult {
  const report = new ImportReport();
  const secrets = new SecretDrafts();
  const names = new SharedNames();
  const groupNames = new UniqueNames('-');
  const objectGroups: DraftGroup[] = [];
  const deviceGroups: DraftGroup[] = [];
  const devices = new Map<string, DraftDevice>();
  const objects = sources.flatMap(({ name: path, root }) => {
    const inputs = root.get('inputs');
    for (const [key, node] of [...root.entries(), ...(inputs?.entries() ?? [])]) {
      if (key === 'inputs' || key === 'snmp') continue;
      report.refuse(node, key, otherSections[key] ?? 'Only [[inputs.snmp]] is imported.');
    }
    return (inputs?.get('snmp')?.items() ?? []).flatMap((input, position) => {
      const wished = groupName(input.get('name')?.text ?? 'telegraf', 'telegraf');
      const id = groupNames.nameFor(
        known.deviceGroups.has(wished) ? `telegraf-${wished}` : wished,
        `${path} ${position}`,
      );
      const group = new GroupDraft(id, names);
      report.refuseOthers(input, inputKeys, inputReasons);
      for (const field of input.get('field')?.items() ?? []) importField(field, [], { group, report, known });
      for (const table of input.get('table')?.items() ?? []) importTable(table, { group, report, known });
      const built = group.build();
      const objectGroup = known.objectGroups.has(id) ? `telegraf-${id}` : id;
      if (built.length > 0) {
        objectGroups.push({ file: 'telegraf', id: objectGroup, members: built.map(idOf) });
        deviceGroups.push({ file: 'telegraf', id, members: [objectGroup] });
        importAgents(input, id, { devices, secrets, report });
      }
      return built;
    });
  });
  return {
    files: sources.length,
    report,
    set: {
      objects,
      enums: [],
      objectGroups,
      deviceGroups,
      sysObjectIds: [],
      devices: [...devices.values()],
      secrets: secrets.files,
    },
  };
}

const otherSections: Readonly<Record<string, string>> = {
  outputs: 'Outputs are plugins in waywiser.yml.',
  agent: 'Intervals and limits are options of plugins in waywiser.yml.',
  processors: 'Processors are plugins in waywiser.yml.',
  aggregators: 'Nothing is aggregated.',
  global_tags: 'Write `tags` in defaults/device.yml.',
  snmp_trap:
    'The plugin snmp-traps receives notifications. Their definitions are written by `waywiser mib draft`.',
};

const inputKeys = new Set([
  'name',
  'agents',
  'version',
  'community',
  'sec_name',
  'sec_level',
  'auth_protocol',
  'auth_password',
  'priv_protocol',
  'priv_password',
  'context_name',
  'timeout',
  'retries',
  'max_repetitions',
  'interval',
  'tags',
  'field',
  'table',
]);

const mibs = 'Not needed: definitions have the OIDs.';
const filter = 'All fields and rows are recorded. Leave them out at the output.';
const inputReasons: Readonly<Record<string, string>> = {
  path: mibs,
  translator: mibs,
  agent_host_tag: 'Every record has the labels device and address.',
  unconnected_udp_socket: 'Set `reply_from` to `any` for the devices that answer from another address.',
  stop_on_error: 'Not needed: a device that does not answer has a state of its own.',
  engine_id: 'Not needed: the engine of a device is found.',
  engine_boots: 'Not needed: the engine of a device is found.',
  engine_time: 'Not needed: the engine of a device is found.',
  taginclude: filter,
  tagexclude: filter,
  tagpass: filter,
  tagdrop: filter,
  fieldinclude: filter,
  fieldexclude: filter,
  fieldpass: filter,
  fielddrop: filter,
  name_override: 'Records have the names of their objects.',
  name_prefix: 'Records have the names of their objects.',
  name_suffix: 'Records have the names of their objects.',
};
