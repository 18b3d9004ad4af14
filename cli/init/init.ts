import { join, resolve } from 'node:path';
import { stdin, stdout } from 'node:process';
import { shippedDefinitions } from '../../src/own-package.ts';
import { writeSchemas } from '../authoring/schema.ts';
import { readChosen } from '../choose-set.ts';
import { usageFailure } from '../cli-errors.ts';
import {
  type Candidate,
  readCandidate,
  splitCandidates,
  type TypedLetters,
} from '../snmp/options/candidates.ts';
import { asksForV3 } from '../snmp/options/credentials.ts';
import type { RequestOptions } from '../snmp/options/request-options.ts';
import { withUsageErrors } from '../snmp/usage.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { listAddresses } from './address-range.ts';
import {
  type NamedDevice,
  sharedVersion,
  writeDefaults,
  writeDevice,
  writeDevicesIntro,
  writeMainFile,
} from './configuration-text.ts';
import { findDevices, nameDevices, noAnswer, parseRate, printDevices, type Wishes } from './find-devices.ts';
import { askForTarget, withQuestions } from './questions.ts';
import { SecretFiles } from './secret-files.ts';
import { type ConfigurationFile, refuseToOverwrite, shortPath, writeConfiguration } from './written-files.ts';

interface InitOptions extends RequestOptions {
  readonly into: string;
  readonly rate: string;
  /** The letters of several credentials in their order; without them, the options are the only credentials. */
  readonly letters?: TypedLetters;
  /** Extend the configuration in the directory. */
  readonly add?: boolean;
  /** Each as it would be in waywiser.yml: a name, alone or with its options. */
  readonly plugin?: readonly string[];
}

/**
 * `waywiser init [TARGET]`: finds devices, recognises them and writes a configuration that is ready to start, or with --add, extends
 * the one that is there.
 */
export function init(target: string | undefined, options: InitOptions): Promise<number> {
  return withUsageErrors(async () => {
    const { into, rate, add = false, plugin: plugins = [], letters } = options;
    if (plugins.length > 0 && !add) throw usageFailure('INIT_PLUGIN_WITHOUT_ADD', {});
    const directory = resolve(into);
    const wishes = { options, everyMs: parseRate(rate), directory };
    const isTyped = (letters?.length ?? 0) > 0 || options.c !== undefined || asksForV3(options);
    const typed = letters === undefined ? [options] : splitCandidates(letters, options);
    const given = { target, credentials: isTyped ? typed : [] };
    const asks = target === undefined && plugins.length === 0;
    if (asks && !stdin.isTTY) throw usageFailure('INIT_TARGET_MISSING', {});
    if (add) {
      const { readExisting } = await import('./existing-configuration.ts');
      const { hasCredentials } = await import('./shared-credentials.ts');
      const { extend } = await import('./add.ts');
      const existing = await readExisting(directory);
      const answers = asks ? await ask({ hasCredentials: hasCredentials(existing) }) : given;
      return extend(existing, answers.target, { ...wishes, credentials: answers.credentials, plugins });
    }
    const answers = asks ? await ask({ hasCredentials: false }) : given;
    return setUp(answers.target ?? '', { ...wishes, credentials: answers.credentials });
  });
}

function ask(settings: Parameters<typeof askForTarget>[1]): ReturnType<typeof askForTarget> {
  return withQuestions(stdin, stdout, (question) => askForTarget(question, settings));
}

async function setUp(target: string, { credentials, ...wishes }: Wishes): Promise<number> {
  const { directory, options } = wishes;
  const candidates = (credentials.length === 0 ? [options] : credentials).map(readCandidate);
  const list = await listAddresses(target);
  const schemas = await writeSchemas();
  const draft = buildFiles([], { target, candidates, schemas });
  refuseToOverwrite(directory, draft);
  const probes = await findDevices({ ...list, ...wishes, candidates });
  const { found } = probes;
  if (found.length === 0) throw noAnswer(list, probes);
  const { compiled: groups } = await readChosen({ directory: shippedDefinitions() });
  const devices = nameDevices(found, { port: list.port, candidates, groups });
  const answered = new Set(found.map(({ candidate }) => candidate));
  const working = candidates.filter((_, position) => answered.has(position));
  writeConfiguration(directory, buildFiles(devices, { target, candidates: working, schemas }));
  printDevices(devices, candidates);
  const config = shortPath(join(directory, 'waywiser.yml'));
  console.log(`\nWrote ${config}. Next: waywiser start --config ${config}`);
  return exitCodes.done;
}

interface Setting {
  readonly target: string;
  readonly candidates: readonly Candidate[];
  readonly schemas: ReadonlyMap<string, string>;
}

function buildFiles(
  devices: readonly NamedDevice[],
  { target, candidates, schemas }: Setting,
): ConfigurationFile[] {
  const secrets = new SecretFiles();
  const shared = { port: 161, version: sharedVersion(candidates), fallbackGroup: 'auto' };
  const entries = devices.map((device) => writeDevice(device, shared));
  return [
    { path: 'waywiser.yml', text: writeMainFile() },
    { path: 'definitions/defaults/device.yml', text: writeDefaults(candidates, secrets) },
    {
      path: 'definitions/devices/devices.yml',
      text: [writeDevicesIntro(target, true), ...entries].join('\n'),
    },
    ...[...secrets.files].map(([name, text]) => ({ path: `secrets/${name}`, text, isSecret: true })),
    ...[...schemas].map(([name, text]) => ({ path: `schemas/${name}`, text })),
  ];
}
