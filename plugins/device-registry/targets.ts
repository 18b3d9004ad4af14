import { resolveSecret, Secret, type SecretSources } from '../../src/index.ts';
import { isSecretReference } from '../../src/kernel/index.ts';
import { contextsOf } from '../../src/model/index.ts';
import type { Target, TargetOptions } from '../../src/snmp/index.ts';
import type { ConfiguredDevice } from '../definitions-loader/service.ts';

type Settings = ConfiguredDevice['settings'];

/** One target per credential, in order. Targets contain secrets in plain text: pass them to the engine only. */
export function buildTargets(
  settings: Settings,
  address: string,
  sources: SecretSources,
  context = contextsOf(settings)[0],
): Target[] {
  const reveal = (text: string) => openSecret(text, sources).reveal();
  const options = buildOptions(settings, address);
  const version = String(settings.version);
  if (version === '1' || version === '2c') {
    return (settings.communities ?? []).map((text) => ({ ...options, version, community: reveal(text) }));
  }
  return (settings.v3_credentials ?? []).map((user) => {
    const { authentication_protocol: auth = 'noauth', privacy_protocol: priv = 'nopriv' } = user;
    return {
      ...options,
      version: '3',
      context: context === '' ? undefined : context,
      user: {
        name: user.username,
        ...(auth === 'noauth'
          ? {}
          : { authProtocol: auth, authPassphrase: reveal(user.authentication_passphrase ?? '') }),
        ...(priv === 'nopriv'
          ? {}
          : { privProtocol: priv, privPassphrase: reveal(user.privacy_passphrase ?? '') }),
      },
    };
  });
}

function buildOptions(settings: Settings, address: string): TargetOptions {
  return {
    address,
    port: settings.port ?? 161,
    timeoutMs: settings.timeout,
    retries: settings.retries,
    exponentialTimeout: settings.exponential_timeout,
    maxOids: settings.max_oids,
    maxRepetitions: typeof settings.max_repetitions === 'number' ? settings.max_repetitions : undefined,
    maxConcurrentRequests: settings.max_concurrent_polls,
    replyFrom: settings.reply_from,
  };
}

function openSecret(text: string, sources: SecretSources): Secret {
  return isSecretReference(text) ? resolveSecret(text, sources) : new Secret(text);
}
