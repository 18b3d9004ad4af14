import type { OfflineSet } from '../../plugins/definitions-loader/commands.ts';
import type { DefinitionPath } from '../../src/definitions/index.ts';
import { suggestName } from '../../src/nearest-name.ts';
import { readChosen, type SetOptions } from '../choose-set.ts';
import { cliFailure, usageFailure } from '../cli-errors.ts';
import { colours } from '../terminal/colours.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { formatTable } from '../terminal/table.ts';

/** What can be shown, and the kind of definition that it is. */
const shown = {
  object: 'objects',
  'object-group': 'objectGroups',
  group: 'deviceGroups',
  notification: 'notifications',
  device: 'devices',
} as const;
type Shown = keyof typeof shown;

/** `waywiser show object|object-group|group|notification|device ID`: shows all values of a definition, and the file and line of each. */
export async function show(
  what: string,
  id: string,
  { json, ...options }: SetOptions & { readonly json?: boolean },
): Promise<number> {
  if (!(what in shown)) {
    const known = Object.keys(shown);
    const details = { kind: what, suggestion: suggestName(what, known), known: known.join(', ') };
    throw usageFailure('SHOWN_KIND_UNKNOWN', details);
  }
  const set = await readChosen(options);
  const kind = findKind(set, what as Shown, id);
  if (kind === undefined) {
    const known = set.raw[shown[what as Shown]].keys();
    const suggestion = suggestName(id, known);
    throw cliFailure('DEFINITION_NOT_THERE', { kind: what, id, place: set.label, suggestion });
  }
  const values = listValues(set, kind, id);
  if (json) console.log(JSON.stringify({ id, kind, values }, undefined, 2));
  else {
    console.log(colours.bold(id));
    const rows = values.map(({ key, value, origin }) => [key, shorten(value), colours.dim(origin)]);
    console.log(formatTable(['key', 'value', 'from'], rows));
  }
  return exitCodes.done;
}

function shorten(value: string): string {
  return value.length > maxShown ? `${value.slice(0, maxShown)}…` : value;
}

const maxShown = 60;

/** `group` is a device group, or an object group when there is no device group of that id. */
function findKind(set: OfflineSet, what: Shown, id: string): (typeof shown)[Shown] | undefined {
  if (set.raw[shown[what]].has(id)) return shown[what];
  return what === 'group' && set.raw.objectGroups.has(id) ? 'objectGroups' : undefined;
}

interface ShownValue {
  readonly key: string;
  readonly value: string;
  readonly origin: string;
}

function listValues(set: OfflineSet, kind: (typeof shown)[Shown], id: string): ShownValue[] {
  if (kind === 'devices') return listDeviceValues(set, id);
  return flatten(set.raw[kind].get(id), []).map(([path, value]) => ({
    key: path.join('.'),
    value,
    origin: originOf(set, [kind, id, ...path]),
  }));
}

function listDeviceValues(set: OfflineSet, name: string): ShownValue[] {
  const { settings, given } = set.devices.get(name)!;
  const defaultsId = [...set.raw.deviceDefaults.keys()].at(-1) ?? '';
  const defaults = set.raw.deviceDefaults.get(defaultsId) ?? {};
  return flatten(settings, []).map(([path, value]) => {
    const [key = ''] = path;
    const isSecret = /communit|passphrase|_key/.test(path.join('.'));
    const origin = given.includes(String(key))
      ? originOf(set, ['devices', name, ...path])
      : key in defaults
        ? originOf(set, ['deviceDefaults', defaultsId, ...path])
        : 'built-in default';
    return { key: path.join('.'), value: isSecret && !value.startsWith('${') ? '***' : value, origin };
  });
}

function flatten(value: unknown, path: readonly string[]): [readonly string[], string][] {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => flatten(inner, [...path, key]));
}

function originOf(set: OfflineSet, path: DefinitionPath): string {
  const { file, line } = set.places.locate({ level: 'warning', path, rule: '', message: '' });
  return `${file}:${line}`;
}
