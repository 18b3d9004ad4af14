import { groupName } from '../../drafts/draft-names.ts';
import type { DraftDevice, DraftSettings } from '../../drafts/draft-set.ts';
import { protocolOf, type SecretDrafts, versionOf } from '../credential-drafts.ts';
import type { ImportReport } from '../import-report.ts';
import type { SourceNode } from '../source/source-node.ts';

interface AgentContext {
  /** By address and port. */
  readonly devices: Map<string, DraftDevice>;
  readonly secrets: SecretDrafts;
  readonly report: ImportReport;
}

/** Makes a device of each agent. An agent of several inputs is one device with their groups. */
export function importAgents(
  input: SourceNode,
  group: string,
  { devices, secrets, report }: AgentContext,
): void {
  const settings = readSettings(input, group, secrets, report);
  if (settings === undefined) return;
  for (const agent of input.get('agents')?.items() ?? []) {
    const target = parseAgent(agent.text ?? '');
    if (typeof target === 'string') {
      report.refuse(agent, agent.text ?? 'agent', target);
      continue;
    }
    const { host, port } = target;
    const key = `${host} ${port}`;
    const known = devices.get(key);
    if (known !== undefined) {
      const groups = known.settings['device_groups'] as readonly string[];
      devices.set(key, {
        ...known,
        settings: { ...known.settings, device_groups: [...new Set([...groups, group])] },
      });
      report.translate(
        agent,
        agent.text!,
        'It is one device with the groups of all its inputs, and the settings of the first.',
      );
      continue;
    }
    const id = groupName(`${host}${port === 161 ? '' : `-${port}`}`, 'device');
    const taken = [...devices.values()].some((device) => device.id === id);
    devices.set(key, {
      file: 'telegraf',
      id: taken ? `${id}-${devices.size + 1}` : id,
      settings: { ip: host, port: port === 161 ? undefined : port, ...settings },
    });
    report.keep();
  }
}

function parseAgent(text: string): { readonly host: string; readonly port: number } | string {
  const [, scheme = 'udp', rest = ''] = /^(?:([a-z0-9]+):\/\/)?(.*)$/i.exec(text) ?? [];
  if (!/^udp[46]?$/.test(scheme)) return 'Only UDP is supported.';
  const [, bracketed, plain, port = '161'] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9_.-]+))(?::(\d{1,5}))?$/.exec(rest) ?? [];
  const host = bracketed ?? plain ?? (/^[0-9A-Fa-f:]+$/.test(rest) && rest.includes(':') ? rest : undefined);
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535)
    return 'It is not an address with a port.';
  return { host, port: Number(port) };
}

function readSettings(
  input: SourceNode,
  group: string,
  secrets: SecretDrafts,
  report: ImportReport,
): DraftSettings | undefined {
  const version = versionOf(input.get('version')?.text ?? '2');
  if (version === undefined) {
    report.refuse(
      input.get('version')!,
      'version',
      'There is no such SNMP version. The agents are left out.',
    );
    return undefined;
  }
  const user = version === '3' ? readUser(input, group, secrets, report) : undefined;
  if (version === '3' && user === undefined) return undefined;
  const seconds = durationMs(input.get('interval'), 'interval', report);
  return {
    version,
    communities:
      version === '3'
        ? undefined
        : [secrets.referenceTo(`${group}.community`, input.get('community')?.text ?? 'public')],
    v3_credentials: user && [user],
    context: input.get('context_name')?.text || undefined,
    device_groups: [group],
    poll_interval:
      seconds === undefined ? undefined : Math.min(Math.max(Math.round(seconds / 1_000), 1), 604_800),
    timeout: durationMs(input.get('timeout'), 'timeout', report),
    retries: input.get('retries')?.number,
    max_repetitions: input.get('max_repetitions')?.number,
    tags: readTags(input.get('tags')),
  };
}

function readUser(
  input: SourceNode,
  group: string,
  secrets: SecretDrafts,
  report: ImportReport,
): DraftSettings | undefined {
  const level = (input.get('sec_level')?.text ?? 'noAuthNoPriv').toLowerCase();
  const part = (kind: 'authentication' | 'privacy', prefix: 'auth' | 'priv') => {
    const protocol = protocolOf(kind, input.get(`${prefix}_protocol`)?.text ?? '');
    const passphrase = input.get(`${prefix}_password`)?.text;
    return protocol === undefined || passphrase === undefined ? undefined : { protocol, passphrase };
  };
  const username = input.get('sec_name')?.text;
  const authentication = level.startsWith('auth') ? part('authentication', 'auth') : undefined;
  const privacy = level === 'authpriv' ? part('privacy', 'priv') : undefined;
  const isWhole =
    username !== undefined &&
    (level === 'noauthnopriv' || authentication !== undefined) &&
    (level !== 'authpriv' || privacy !== undefined);
  if (isWhole) return secrets.user(group, { username, authentication, privacy });
  const reason =
    'The user has no name, or a protocol or password that sec_level asks for. The agents are left out.';
  report.refuse(input.get('sec_level') ?? input, 'sec_level', reason);
  return undefined;
}

function readTags(tags: SourceNode | undefined): DraftSettings | undefined {
  const pairs = (tags?.entries() ?? []).flatMap(([key, value]) =>
    value.text === undefined ? [] : [[key, value.text]],
  );
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** `5s`, `1m30s`; a plain number is seconds. */
function durationMs(node: SourceNode | undefined, key: string, report: ImportReport): number | undefined {
  if (node === undefined) return undefined;
  const text = node.text ?? '';
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  const sum = /^\d+$/.test(text)
    ? Number(text) * 1_000
    : parts.reduce((all, [, number, unit]) => all + Number(number) * unitsMs[unit!]!, 0);
  if (sum > 0 && (parts.map(([part]) => part).join('') === text || /^\d+$/.test(text))) return sum;
  report.refuse(node, key, 'It is not a duration such as 5s.');
  return undefined;
}
