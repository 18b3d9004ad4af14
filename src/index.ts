/** Published as "waywiser": all that a plugin may import, together with other plugins' service.ts. */

// What every plugin is made of: its definition, options, errors and state.

export { defineErrors, type ErrorTable, explainError, type Failure, WaywiserError } from './kernel/errors.ts';
export type { EventBus, EventListener } from './kernel/event-bus.ts';
export type { Logger } from './kernel/logger.ts';
export {
  type CollectorFacts,
  definePlugin,
  type Plugin,
  type PluginContext,
  type PluginKind,
} from './kernel/plugin.ts';
export { pathOption, secretOption } from './kernel/plugin-options.ts';
export { isSecretReference, resolveSecret, Secret, type SecretSources } from './kernel/secrets.ts';
export { type ServiceToken, serviceToken } from './kernel/service-token.ts';
export { findNearestName, NameSuggester, suggestName } from './nearest-name.ts';
export { startThread } from './pipeline/thread/start-thread.ts';
export { Journal, type JournalContent } from './storage/journal.ts';
export { replaceFile } from './storage/replace-file.ts';
export { openStateJournal } from './storage/state-journal.ts';
export {
  type Static,
  type TSchema,
  Type,
  type TypeCheck,
  TypeCompiler,
  type ValueError,
  ValueErrorType,
} from './typebox.ts';

// What plugins tell each other about: devices, what they have, and what happens.

export {
  type AddressRange,
  formatAddress,
  hostsOf,
  parseAddress,
  parseNetwork,
} from './model/address-range.ts';
export * from './model/definition-changes.ts';
export * from './model/device.ts';
export { canonicalAddress, isLoopback } from './model/device-address.ts';
export type * from './model/event-map.ts';
export * from './model/inventory.ts';
export * from './model/oid.ts';
export { toSafeName } from './model/safe-name.ts';

// Measurements, and their road from sources through processors to outputs.

export * from './model/batch.ts';
export { BatchDecoder } from './model/batch-form/batch-decoder.ts';
export { BatchEncoder } from './model/batch-form/batch-encoder.ts';
export { BatchFault, batchLimits } from './model/batch-form/batch-fault.ts';
export * from './model/gap.ts';
export {
  type AddressTemplate,
  compileAddress,
} from './pipeline/connection/address-template.ts';
export { connectionFailure } from './pipeline/connection/connection-failure.ts';
export { type ConnectionDriver, KeptConnection } from './pipeline/connection/kept-connection.ts';
export { nameListenFailure } from './pipeline/connection/listen-failure.ts';
export { nameConnectionFailure } from './pipeline/connection/name-failure.ts';
export { importOptional } from './pipeline/connection/optional-package.ts';
export { runInWindow } from './pipeline/connection/run-in-window.ts';
export { readTlsFiles, type TlsFiles, tlsSchema } from './pipeline/connection/tls-files.ts';
export { watchTlsFiles } from './pipeline/connection/tls-watch.ts';
export { untilAborted } from './pipeline/connection/until-aborted.ts';
export { runInSlices, workInSlices } from './pipeline/connection/work-in-slices.ts';
export { defineOutput, type OutputContext, type OutputPlugin, type OutputWriter } from './pipeline/output.ts';
export { PermanentError } from './pipeline/permanent-error.ts';
export { type Pipeline, type Processor, pipelineToken } from './pipeline/pipeline.ts';
export { defineProcessor } from './pipeline/processor.ts';
export { maxNumberBytes, writeCounter, writeFloat } from './pipeline/text/number-digits.ts';
export { TextBuffer } from './pipeline/text/text-buffer.ts';
export { type FileLayer, nodeFiles } from './storage/segments/file-layer.ts';
export { RecordLog } from './storage/segments/record-log.ts';

// Definitions: how files of them are read and compiled, and how raw values are decoded by them.

export { CompileCache } from './model/definitions/compiled/compile-cache.ts';
export { type Compilation, compileDefinitions } from './model/definitions/compiled/compile-definitions.ts';
export type * from './model/definitions/compiled/compiled-definitions.ts';
export { findAffectedDevices } from './model/definitions/generation/affected-devices.ts';
export { columnNamesFor } from './model/definitions/generation/column-names.ts';
export {
  type Cost,
  type CostOptions,
  type CostSubject,
  estimateCost,
} from './model/definitions/generation/cost-estimate.ts';
export { diffDefinitions, isUnchanged } from './model/definitions/generation/definition-diff.ts';
export { findDeviceGroup } from './model/definitions/generation/device-group-finder.ts';
export {
  type FieldWriter,
  layoutRecords,
  type RecordColumn,
  type RecordLayout,
} from './model/definitions/generation/record-layout.ts';
export { findRemappedDevices } from './model/definitions/generation/remapped-devices.ts';
export { createIndexDecoder, type IndexDecoder } from './model/definitions/index/index-decoder.ts';
export type { IndexPart, IndexType } from './model/definitions/index/index-part.ts';
export type { DefinitionProblem, DefinitionRule } from './model/definitions/problems/definition-rules.ts';
export {
  type DefinitionFolder,
  definitionFolders,
  findKindOf,
} from './model/definitions/schema/definition-folders.ts';
export {
  type DefinitionKind,
  definitionKinds,
  definitionSchemas,
} from './model/definitions/schema/definition-kinds.ts';
export type {
  DefinitionPath,
  RawAttribute,
  RawDefinitions,
  RawDevice,
  RawEntry,
  RawObject,
} from './model/definitions/schema/raw-definitions.ts';
export {
  type ColumnDecoder,
  type ColumnNames,
  type ColumnValues,
  createDecoder,
} from './model/definitions/syntax/decode/column-decoder.ts';
export { ColumnMemory } from './model/definitions/syntax/decode/column-memory.ts';
export type { NameTally } from './model/definitions/syntax/decode/column-values.ts';
export {
  type DecodeOptions,
  scaleFor,
  type TimeUnit,
} from './model/definitions/syntax/decode/decode-options.ts';
export { holdsOctets, type RawColumn, rawTag } from './model/definitions/syntax/decode/raw-column.ts';
export type { Scale, Syntax, SyntaxKind } from './model/definitions/syntax/syntax.ts';
export { findSyntax } from './model/definitions/syntax/syntax-table.ts';
