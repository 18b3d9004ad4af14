import type { SecretSources } from '../../../kernel/secrets.ts';
import type { Problem } from '../../../model/definition-changes.ts';
import { NameSuggester } from '../../../nearest-name.ts';
import { type TSchema, TypeCompiler } from '../../../typebox.ts';
import { definitionSchemas } from '../../schema/definition-kinds.ts';
import type { RawDefinitions, RawDevice } from '../../schema/raw-definitions.ts';
import type { PositionNode } from '../../yaml/position-node.ts';
import type { DefinitionSections } from '../definition-sections.ts';
import { findSchemaProblems } from '../schema-problems.ts';
import type { ReportSetProblem } from '../set-problem.ts';
import { checkDevices } from './device-checks.ts';
import { checkSecrets } from './secret-checks.ts';

/** A problem of a device that no file holds: in the place of a line it has the key that it is about. */
export interface DeviceProblem extends Pick<Problem, 'level' | 'rule' | 'message'> {
  /** Keys and positions divided by dots; empty for the device as a whole. */
  readonly path: string;
}

export interface SingleDeviceCheck {
  /** As it was given; undefined when the schema already refuses it. */
  readonly settings: RawDevice | undefined;
  /** The same with what the defaults and the format give. */
  readonly filled?: RawDevice;
  readonly problems: readonly DeviceProblem[];
}

type CheckSingleDevice = (
  name: string,
  device: unknown,
  running: RunningDefinitions,
  secrets: SecretSources,
) => SingleDeviceCheck;

/** What of a generation the check asks for. */
interface RunningDefinitions {
  readonly sections: DefinitionSections;
  fillDevice(name: string, given: RawDevice): { readonly settings: RawDevice };
}

/** Checks devices one at a time by the rules for those of files, beside the definitions that run. Compiles the schema once. */
export function createDeviceCheck(): CheckSingleDevice {
  const schema = TypeCompiler.Compile<TSchema>(definitionSchemas.devices);
  return (name, device, running, secrets) => {
    if (!schema.Check(device)) {
      const { root, paths } = numberPlaces(device);
      const problems = findSchemaProblems(schema, definitionSchemas.devices, device, root, name);
      const described = problems.map(({ rule, message, offset }) => ({
        level: 'error' as const,
        path: paths[offset] ?? '',
        rule,
        message,
      }));
      return { settings: undefined, problems: described };
    }
    const settings = device as RawDevice;
    const problems: DeviceProblem[] = [];
    const report: ReportSetProblem = (level, [, , ...keys], rule, message) => {
      problems.push({ level, path: keys.join('.'), rule, message });
    };
    const { settings: filled } = running.fillDevice(name, settings);
    const raw = setWithOnly(name, filled, running.sections);
    checkDevices(raw, new Map(), new NameSuggester(), report);
    checkSecrets(raw, secrets, report);
    return { settings, filled, problems };
  };
}

/** What the checks of whole sets look at, with this device as the only one. They ask the other maps for ids alone. */
function setWithOnly(name: string, settings: RawDevice, sections: DefinitionSections): RawDefinitions {
  return {
    devices: new Map([[name, settings]]),
    deviceDefaults: new Map(),
    networks: new Map(),
    deviceGroups: sections.deviceGroups,
    objectTypes: sections.everyMsByType,
  } as unknown as RawDefinitions;
}

/** No key of the schema is deeper, and a stranger's value may be. */
const maxDepth = 5;

/** Positions that are numbers of paths: a value that was never text has no others. */
function numberPlaces(value: unknown): { readonly root: PositionNode; readonly paths: readonly string[] } {
  const paths: string[] = [];
  const numberPlace = (at: unknown, path: string, depth: number): PositionNode => {
    const place = paths.push(path) - 1;
    const inside = typeof at === 'object' && at !== null && depth < maxDepth ? Object.entries(at) : [];
    const children = inside.map(([key, child]): [string, PositionNode] => [
      key,
      numberPlace(child, path === '' ? key : `${path}.${key}`, depth + 1),
    ]);
    return { keyOffset: place, offset: place, children: new Map(children) };
  };
  return { root: numberPlace(value, '', 0), paths };
}
