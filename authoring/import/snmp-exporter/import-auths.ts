import type { DraftNetwork, DraftSettings } from '../../drafts/draft-set.ts';
import { defaultsFor, protocolOf, type SecretDrafts, versionOf } from '../credential-drafts.ts';
import type { ImportReport } from '../import-report.ts';
import type { SourceNode } from '../source/source-node.ts';

const known = new Set([
  'community',
  'version',
  'security_level',
  'username',
  'password',
  'auth_protocol',
  'priv_protocol',
  'priv_password',
  'context_name',
]);

/** The auth that snmp_exporter uses where a scrape names none. The public snmp.yml has one of version 1 before it. */
const usualAuth = 'public_v2';

export interface Auth {
  readonly name: string;
  readonly auth: SourceNode;
  /** Of the module that has the auth, before version 0.23. */
  readonly moduleVersion?: SourceNode | undefined;
}

/**
 * What the auths become: a network for each, whose addresses a person adds, and all together the values for devices that have no credentials
 * of their own.
 */
export function importAuths(
  auths: readonly Auth[],
  secrets: SecretDrafts,
  report: ImportReport,
): { readonly deviceDefaults: DraftSettings | undefined; readonly networks: readonly DraftNetwork[] } {
  const networks: DraftNetwork[] = [];
  const communities = new Set<string>();
  const users: DraftSettings[] = [];
  let first: string | undefined;
  let context: string | undefined;
  for (const { name, auth, moduleVersion } of auths) {
    if (!auth.isMap) {
      report.refuse(auth, name, 'An auth is a map.');
      continue;
    }
    report.refuseOthers(auth, known);
    const named = auth.get('version') ?? moduleVersion;
    const version = versionOf(named?.text ?? '2');
    if (version === undefined) {
      report.refuse(named ?? auth, `${name} version`, 'There is no such SNMP version.');
      continue;
    }
    if (version === '3') {
      const user = importUser(name, auth, secrets, report);
      if (user === undefined) continue;
      users.push(user);
      networks.push({ id: name, credential: { version, v3_credential: user } });
      const inContext = auth.get('context_name');
      if (context === undefined) context = inContext?.text || undefined;
      else if (inContext !== undefined && inContext.text !== context) {
        report.refuse(
          inContext,
          `${name} context_name`,
          'The defaults have one context. Give the devices theirs.',
        );
      }
    } else {
      const community = secrets.referenceTo(`${name}.community`, auth.get('community')?.text ?? 'public');
      communities.add(community);
      networks.push({ id: name, credential: { version, community } });
    }
    if (first === undefined || name === usualAuth) first = version;
    report.keep();
  }
  return { deviceDefaults: defaultsFor(first, [...communities], users, context), networks };
}

function importUser(
  name: string,
  auth: SourceNode,
  secrets: SecretDrafts,
  report: ImportReport,
): DraftSettings | undefined {
  const username = auth.get('username')?.text;
  const level = auth.get('security_level')?.text ?? 'noAuthNoPriv';
  if (username === undefined || !/^(noAuthNoPriv|authNoPriv|authPriv)$/.test(level)) {
    report.refuse(auth, name, 'It has no username, or an unknown security_level.');
    return undefined;
  }
  const part = (kind: 'authentication' | 'privacy', key: string, passwordKey: string, otherwise: string) => {
    const protocol = protocolOf(kind, auth.get(key)?.text ?? otherwise);
    const passphrase = auth.get(passwordKey)?.text;
    if (protocol !== undefined && passphrase !== undefined) return { protocol, passphrase };
    report.refuse(
      auth.get(key) ?? auth,
      `${name} ${key}`,
      `There is no such protocol, or no ${passwordKey}.`,
    );
    return undefined;
  };
  if (level === 'noAuthNoPriv') return secrets.user(name, { username });
  const authentication = part('authentication', 'auth_protocol', 'password', 'MD5');
  const privacy = level === 'authPriv' ? part('privacy', 'priv_protocol', 'priv_password', 'DES') : undefined;
  if (authentication === undefined || (level === 'authPriv' && privacy === undefined)) return undefined;
  return secrets.user(name, { username, authentication, privacy });
}
