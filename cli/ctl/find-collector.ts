import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type HttpOptions, httpOptions } from '../../plugins/http-api/commands.ts';
import { type Environment, overrideOptions } from '../../src/collector/index.ts';
import { ConfigFile, checkCollectorKeys, checkOptions, configFailure } from '../../src/kernel/index.ts';
import { isLoopback } from '../../src/model/device-address.ts';
import { Type } from '../../src/typebox.ts';
import { cliFailure } from '../cli-errors.ts';

/** The collector of a configuration. */
export interface ConfiguredCollector {
  readonly file: string;
  readonly instance: string;
  /** Of its HTTP API, for clients on the same machine. */
  readonly url: string;
}

const addressOptions = Type.Pick(httpOptions, ['host', 'port', 'tls']);
type AddressOptions = Pick<HttpOptions, 'host' | 'port' | 'tls'>;

/**
 * The collector that a configuration describes. Only what its address depends on is read: a person who controls a collector may have no
 * right to read its secrets. Throws CONFIG_INVALID, CTL_PORT_UNKNOWN where each start chooses another port, and CTL_HOST_ELSEWHERE where
 * the address is none of this machine.
 */
export function readConfiguredCollector(file: string, env: Environment): ConfiguredCollector {
  const source = new ConfigFile(file);
  if (source.problems.length > 0) throw configFailure(source.label, source.problems);
  const checked = checkCollectorKeys(source, env);
  const problemAt = (path: readonly string[], rule: string, message: string) =>
    source.problemAt(path, rule, message);
  if (checked.options === undefined)
    throw configFailure(
      source.label,
      checked.problems.map(({ path, rule, message }) => problemAt(path, rule, message)),
    );
  const keys = checked.options as {
    readonly instance: string;
    readonly secrets_directory?: string;
    readonly plugins: Readonly<Record<string, unknown>>;
  };
  const key = Object.keys(keys.plugins).find((name) => /^http-api(?:\/|$)/.test(name)) ?? 'http-api';
  const given = overrideOptions(key, addressOptions, keys.plugins[key], env) as object;
  const own = Object.entries(given).filter(([name]) => name in addressOptions.properties);
  const { options, problems } = checkOptions(addressOptions, Object.fromEntries(own), {
    baseDirectory: source.directory,
    secrets: { env, directory: keys.secrets_directory },
  });
  if (problems.length > 0)
    throw configFailure(
      source.label,
      problems.map(({ path, rule, message }) =>
        problemAt(['plugins', key, ...path], rule, `${key}: ${message}`),
      ),
    );
  return { file, instance: keys.instance, url: urlOf(options as AddressOptions, file) };
}

/** A token goes to no address that a file names alone: the folder may be somebody else's. */
function isOfThisMachine(address: string): boolean {
  if (isLoopback(address)) return true;
  return Object.values(networkInterfaces()).some((own) => own?.some((each) => each.address === address));
}

/** An address that means all addresses of a machine is asked at its loopback address. */
const loopbackOf: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

function urlOf({ host, port, tls }: AddressOptions, file: string): string {
  if (port === 0) throw cliFailure('CTL_PORT_UNKNOWN', { file });
  const address = loopbackOf[host] ?? host;
  if (!isOfThisMachine(address)) throw cliFailure('CTL_HOST_ELSEWHERE', { file, host });
  return `http${tls === undefined ? '' : 's'}://${isIPv6(address) ? `[${address}]` : address}:${port}`;
}
