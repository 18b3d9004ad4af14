/** For commands: translations of the configuration of other collectors. */

export { importFailure } from './import-errors.ts';
export type { ImportNote, ImportReport } from './import-report.ts';
export type { ImportResult, KnownColumn, KnownDefinitions, KnownIndexPart } from './import-result.ts';
export { knownIn } from './known-definitions.ts';
export { importProfiles } from './profiles/import-profiles.ts';
export { importSnmpExporter } from './snmp-exporter/import-snmp-exporter.ts';
export { readYamlSource, type UnreadableSource } from './source/read-source.ts';
export { readTomlSource } from './source/read-toml.ts';
export type { SourceFile } from './source/source-node.ts';
export { importTelegraf } from './telegraf/import-telegraf.ts';
