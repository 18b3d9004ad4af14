import { env } from 'node:process';
import type { Target } from '../../src/snmp/index.ts';
import { findConfig } from '../choose-set.ts';
import { cliFailure } from '../cli-errors.ts';
import { asksForV3, parseCredentials } from './options/credentials.ts';
import { parseTiming, type RequestOptions } from './options/request-options.ts';
import { isAddress, parseTargetAddress, resolveTarget } from './options/target-address.ts';

/**
 * What the command line names: a device of the configuration by its name, otherwise an address. One target per credential,
 * in order. Credentials and times of the command line win over those of the device.
 */
export async function openTargets(
  target: string,
  options: RequestOptions,
): Promise<readonly [Target, ...Target[]]> {
  const config = isAddress(target) ? undefined : findConfig({ config: options.config });
  if (config === undefined) return [await openAddress(target, options)];
  const { findConfiguredDevice } = await import('./configured-device.ts');
  const { device, names, unreadable } = await findConfiguredDevice(config, target);
  if (device !== undefined) return mergeTyped(await device.openTargets(), target, options);
  try {
    return [await openAddress(target, options)];
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'HOST_UNKNOWN')) throw error;
    if (unreadable instanceof Error && 'path' in unreadable)
      throw cliFailure('DEVICE_STATE_UNREADABLE', { file: String(unreadable.path) }, unreadable);
    const { suggestName } = await import('../../src/nearest-name.ts');
    throw cliFailure('TARGET_UNKNOWN', { target, config, suggestion: suggestName(target, names) });
  }
}

async function openAddress(target: string, options: RequestOptions): Promise<Target> {
  const settings = { ...parseCredentials(options, env), ...parseTiming(options) };
  return { ...settings, ...(await resolveTarget(parseTargetAddress(target))) };
}

function mergeTyped(
  targets: readonly Target[],
  device: string,
  options: RequestOptions,
): readonly [Target, ...Target[]] {
  const { timeoutMs, retries } = parseTiming(options);
  const timing = {
    ...(options.t === undefined ? {} : { timeoutMs }),
    ...(options.r === undefined ? {} : { retries }),
  };
  const hasCredentials = options.v !== undefined || options.c !== undefined || asksForV3(options);
  const merged = hasCredentials
    ? targets.slice(0, 1).map((target) => ({ ...target, ...timing, ...parseCredentials(options, env) }))
    : targets.map((target) => ({ ...target, ...timing }));
  const [first, ...others] = merged as Target[];
  if (first === undefined) throw cliFailure('DEVICE_CREDENTIALS_MISSING', { device });
  return [first, ...others];
}
