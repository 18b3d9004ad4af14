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

/** A problem of a device that is not in a file: instead of a line it names the key. */
export interface DeviceProblem extends Pick<Problem, 'level' | 'rule' | 'message'> {
  /** Keys and positions divided by dots; empty for the device as a whole. */
  readonly path: string;
}

export interface SingleDeviceCheck {
  /** As it was given; undefined when the schema refuses it. */
  readonly settings: RawDevice | undefined;
  /** The same with the defaults filled in. */
  readonly filled?: RawDevice;
  readonly problems: readonly DeviceProblem[];
}

type CheckSingleDevice = (
  name: string,
  device: unknown,
  running: RunningDefinitions,
  secrets: SecretSources,
) => SingleDeviceCheck;

/** The parts of a generation that the check needs. */
interface RunningDefinitions {
  readonly sections: DefinitionSections;
  fillDevice(name: string, given: RawDevice): { readonly settings: RawDevice };
}

/** Checks single devices by the same rules as devices in files, against the running definitions. Compiles the schema once. */
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

/** A set with this device as the only one. The checks only look for ids in the other maps. */
function setWithOnly(name: string, settings: RawDevice, sections: DefinitionSections): RawDefinitions {
  return {
    devices: new Map([[name, settings]]),
    deviceDefaults: new Map(),
    networks: new Map(),
    deviceGroups: sections.deviceGroups,
    objectTypes: sections.everyMsByType,
  } as unknown as RawDefinitions;
}

/** No key of the schema is deeper, but a value from outside may be. */
const maxDepth = 5;

/** The value was never text, so its positions are indexes into `paths`. */
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
