import { isSecretReference, resolveSecret, type SecretSources } from '../../../kernel/secrets.ts';
import { isShortPassphrase, minPassphraseOctets } from '../../../model/passphrase-length.ts';
import type { RawDefinitions } from '../../schema/raw-definitions.ts';
import type { ReportSetProblem } from '../set-problem.ts';

/** Reports secret references that cannot be resolved, and warns of plain text. No message contains a value. */
export function checkSecrets(raw: RawDefinitions, sources: SecretSources, report: ReportSetProblem): void {
  const known = new Map<string, ReadSecret>();
  const check = (path: Parameters<ReportSetProblem>[1], text: string | undefined): void => {
    if (text === undefined) return;
    const isReference = isSecretReference(text);
    const { fault, isShort } = isReference ? readOnce(text) : { isShort: isShortPassphrase(text) };
    if (fault !== undefined) {
      report('error', path, 'unresolved-secret', fault);
    } else if (isShort && String(path.at(-1)).endsWith('_passphrase')) {
      const place = isReference ? `The passphrase that ${text} names` : 'This passphrase';
      const message = `${place} is too short: SNMPv3 needs at least ${minPassphraseOctets} characters. Set a longer one here and on the device.`;
      report('error', path, 'short-passphrase', message);
    } else if (isReference) {
      return;
    } else if (text.startsWith('${')) {
      const message = 'This secret reference cannot be read. Write ${env:NAME} or ${file:name}.';
      report('error', path, 'bad-secret-reference', message);
    } else {
      const message = 'This secret is plain text. Write ${env:NAME} or ${file:name} instead.';
      report('warning', path, 'plain-text-secret', message);
    }
  };

  const readOnce = (reference: string): ReadSecret => {
    const read = known.get(reference) ?? readSecret(reference, sources);
    known.set(reference, read);
    return read;
  };

  for (const kind of ['deviceDefaults', 'devices'] as const) {
    for (const [id, { communities = [], v3_credentials: users = [] }] of raw[kind]) {
      for (const [index, community] of communities.entries())
        check([kind, id, 'communities', index], community);
      for (const [index, user] of users.entries()) {
        for (const key of secretKeys) check([kind, id, 'v3_credentials', index, key], user[key]);
      }
    }
  }
  for (const [id, { credentials }] of raw.networks) {
    for (const [index, { community, v3_credential: user }] of credentials.entries()) {
      check(['networks', id, 'credentials', index, 'community'], community);
      for (const key of secretKeys)
        check(['networks', id, 'credentials', index, 'v3_credential', key], user?.[key]);
    }
  }
}

const secretKeys = ['authentication_passphrase', 'privacy_passphrase', 'secret_key', 'privacy_key'] as const;

/** What the checks need to know of a secret, without the secret. */
interface ReadSecret {
  readonly fault?: string;
  readonly isShort?: boolean;
}

function readSecret(reference: string, sources: SecretSources): ReadSecret {
  try {
    return { isShort: isShortPassphrase(resolveSecret(reference, sources).reveal()) };
  } catch (error) {
    return {
      fault: error instanceof Error ? error.message : `The secret reference ${reference} cannot be resolved.`,
    };
  }
}
