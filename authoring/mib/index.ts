/** Published as "waywiser/mib": MIB files as nodes with names, OIDs and types. Independent of the collector. */
export type { MibNode, MibNodeKind, MibRange } from './mib-node.ts';
export type { MibProblem, ProblemLevel } from './mib-problem.ts';
export { type FoundNode, type MibCounts, type MibModule, MibSet } from './mib-set.ts';
export type { BaseType } from './resolve/base-types.ts';
