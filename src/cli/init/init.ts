import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { cwd, env, stdin, stdout } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { shippedDefinitions } from '../../collector/own-package.ts';
import type { CompiledDefinitions } from '../../definitions/compiler/compiled-definitions.ts';
import { findDeviceGroup } from '../../definitions/generation/device-group-finder.ts';
import { systemReasonOf } from '../../kernel/system-reason.ts';
import { toSafeName } from '../../model/safe-name.ts';
import { createManager } from '../../snmp/index.ts';
import { writeSchemas } from '../authoring/schema.ts';
import { cliFailure, usageFailure } from '../cli-errors.ts';
import { readChosen } from '../definitions/choose-set.ts';
import { parseCredentials } from '../snmp/options/credentials.ts';
import { parseTiming, type RequestOptions } from '../snmp/options/request-options.ts';
import { withUsageErrors } from '../snmp/usage.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { counted } from '../terminal/plain-text.ts';
import { formatTable } from '../terminal/table.ts';
import { type AddressList, listAddresses } from './address-range.ts';
import { type Candidate, describeCandidate, splitCandidates, type TypedLetters } from './candidates.ts';
import {
  type NamedDevice,
  SecretFiles,
  sharedVersion,
  writeDefaults,
  writeDevices,
  writeMainFile,
} from './configuration-text.ts';
import { type FoundDevice, type Probes, probeAddresses } from './probe-addresses.ts';
import { askForTarget, withQuestions } from './questions.ts';

interface InitOptions extends RequestOptions {
  readonly into: string;
  readonly rate: string;
  /** The letters of several credentials in their order; without them, the options are the only credentials. */
  readonly letters?: TypedLetters;
}

/** `waywiser init [TARGET]`: finds devices, recognises them and writes a configuration that is ready to start. */
export function init(target: string | undefined, options: InitOptions): Promise<number> {
  return withUsageErrors(async () => {
    const { into, rate } = options;
    const everyMs = parseRate(rate);
    if (target !== undefined) {
      const { letters } = options;
      const credentials = letters === undefined ? [options] : splitCandidates(letters, options);
      return setUp(target, { options, everyMs, directory: resolve(into), credentials });
    }
    if (!stdin.isTTY) throw usageFailure('INIT_TARGET_MISSING', {});
    const answers = await withQuestions(stdin, stdout, askForTarget);
    return setUp(answers.target, {
      options,
      everyMs,
      directory: resolve(into),
      credentials: [answers.options],
    });
  });
}

interface Wishes {
  readonly options: RequestOptions;
  readonly everyMs: number;
  readonly directory: string;
  /** What to try on each address, in this order. */
  readonly credentials: readonly RequestOptions[];
}

async function setUp(target: string, wishes: Wishes): Promise<number> {
  const { directory } = wishes;
  const candidates = wishes.credentials.map((typed) => ({
    typed,
    credentials: parseCredentials(typed, env),
  }));
  const list = await listAddresses(target);
  const { port } = list;
  const schemas = await writeSchemas();
  const draft = buildFiles([], { target, candidates, port, schemas });
  refuseToOverwrite(
    directory,
    draft.map(({ path }) => path),
  );
  console.log(`Probing ${counted(list.addresses.length, 'address', 'addresses')} on port ${port}…`);
  const { found, failures, hints } = await probe(list, candidates, wishes);
  if (found.length === 0) {
    const reasons = [...failures].map(([code, count]) => `${count} × ${code}`).join(', ');
    throw cliFailure('INIT_NO_ANSWER', { count: list.addresses.length, reasons, hints: hints.join(' ') });
  }
  const { compiled } = await readChosen({ directory: shippedDefinitions() });
  const devices = nameDevices(found, candidates, compiled);
  const answered = new Set(found.map(({ candidate }) => candidate));
  const working = candidates.filter((_, position) => answered.has(position));
  writeConfiguration(directory, buildFiles(devices, { target, candidates: working, port, schemas }));
  const rows = devices.map(({ address, id, deviceGroup = 'standard', description = '' }) => [
    address,
    id,
    deviceGroup,
    description,
  ]);
  console.log(formatTable(['address', 'device', 'group', 'description'], rows));
  const unused = candidates.flatMap((candidate, i) =>
    answered.has(i) ? [] : [describeCandidate(candidate, i)],
  );
  if (unused.length > 0) console.log(`\nLeft out, because no device needs it: ${unused.join(', ')}.`);
  const config = shortest(cwd(), join(directory, 'waywiser.yml'));
  console.log(`\nWrote ${config}. Next: waywiser start --config ${config}`);
  return exitCodes.done;
}

/** Some firewalls take a higher rate for an attack. */
const maxRate = 1_000;

function parseRate(text: string): number {
  const rate = /^\d+$/.test(text) ? Number(text) : 0;
  if (rate < 1 || rate > maxRate) {
    throw usageFailure('OPTION_INVALID', {
      option: '--rate',
      expected: `1 to ${maxRate} addresses per second`,
    });
  }
  return 1000 / rate;
}

async function probe(
  { addresses, port }: AddressList,
  candidates: readonly Candidate[],
  { options, everyMs }: Wishes,
): Promise<Probes> {
  const timing = parseTiming({ ...options, r: options.r ?? '1' });
  const engine = createManager({ sockets: 1 });
  try {
    const targets = candidates.map(({ credentials }) => ({ ...credentials, ...timing }));
    const open = (address: string, candidate: number) =>
      engine.open({ ...targets[candidate]!, address, port });
    const now = () => performance.now();
    return await probeAddresses(addresses, { candidates: candidates.length, open, everyMs, now, wait });
  } finally {
    engine.close();
  }
}

interface Setting {
  readonly target: string;
  readonly candidates: readonly Candidate[];
  readonly port: number;
  readonly schemas: ReadonlyMap<string, string>;
}

function buildFiles(
  devices: readonly NamedDevice[],
  { target, candidates, port, schemas }: Setting,
): ConfigurationFile[] {
  const secrets = new SecretFiles();
  const version = sharedVersion(candidates);
  const defaults = writeDefaults(candidates, secrets);
  return [
    { path: 'waywiser.yml', text: writeMainFile() },
    { path: 'definitions/defaults/device.yml', text: defaults },
    { path: 'definitions/devices/devices.yml', text: writeDevices(devices, { port, target, version }) },
    ...[...secrets.files].map(([name, text]) => ({ path: `secrets/${name}`, text, isSecret: true })),
    ...[...schemas].map(([name, text]) => ({ path: `schemas/${name}`, text })),
  ];
}

/** Relative to `directory` if the path is below it, otherwise absolute. */
function shortest(directory: string, path: string): string {
  const below = relative(directory, path);
  return below.startsWith('..') ? path : below;
}

type Groups = Pick<CompiledDefinitions, 'deviceGroups' | 'deviceGroupsBySysObjectId'>;

/** Names each device after its sysName, or its address if it has none, and finds the device group for its sysObjectID. */
function nameDevices(
  found: readonly FoundDevice[],
  candidates: readonly Candidate[],
  groups: Groups,
): NamedDevice[] {
  const taken = new Set<string>();
  return found.map((device) => {
    const address = toSafeName(device.address);
    const wished = toSafeName(device.name ?? '') || address;
    const id = taken.has(wished) ? `${wished}-${address}` : wished;
    taken.add(id);
    const { sysObjectId } = device;
    const deviceGroup = sysObjectId === undefined ? undefined : findDeviceGroup(groups, sysObjectId);
    return { ...device, id, deviceGroup, version: candidates[device.candidate]!.credentials.version };
  });
}

/** A file of the new configuration, with its path below the directory. */
interface ConfigurationFile {
  readonly path: string;
  readonly text: string;
  /** Readable by its owner only. */
  readonly isSecret?: boolean;
}

/** Throws INIT_WOULD_OVERWRITE when one of the files exists. */
function refuseToOverwrite(directory: string, paths: readonly string[]): void {
  const existing = paths.filter((path) => existsSync(join(directory, path)));
  if (existing.length > 0)
    throw cliFailure('INIT_WOULD_OVERWRITE', { files: existing.join(', '), directory });
}

/** Never replaces a file, not even one that was created a moment ago. */
function writeConfiguration(directory: string, files: readonly ConfigurationFile[]): void {
  try {
    for (const { path, text, isSecret = false } of files) {
      const file = join(directory, path);
      mkdirSync(dirname(file), { recursive: true, mode: isSecret ? 0o700 : 0o777 });
      writeFileSync(file, text, { flag: 'wx', mode: isSecret ? 0o600 : 0o666 });
    }
  } catch (error) {
    throw cliFailure('INIT_UNWRITABLE', { directory, reason: systemReasonOf(error) });
  }
}
