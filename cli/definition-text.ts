import type { ChangeKind, Problem } from '../src/model/index.ts';
import { colours } from './terminal/colours.ts';

/** The kinds of changed definitions in words. */
export const kindNames: Readonly<Record<ChangeKind, readonly [one: string, many: string]>> = {
  objects: ['object', 'objects'],
  objectGroups: ['object group', 'object groups'],
  deviceGroups: ['device group', 'device groups'],
  notifications: ['notification', 'notifications'],
  enums: ['enum', 'enums'],
  devices: ['device', 'devices'],
  sysObjectIds: ['sysObjectID', 'sysObjectIDs'],
  networks: ['network', 'networks'],
};

/** Problems of definition files as text: the place, the level and the rule, then the message. */
export function formatProblems(problems: readonly Problem[]): string[] {
  return problems.map(({ level, file, line, column, rule, message }) => {
    const paint = level === 'error' ? colours.red : colours.yellow;
    return `${colours.bold(`${file}:${line}:${column}`)}  ${paint(level)}  ${colours.dim(rule)}\n  ${message}`;
  });
}
