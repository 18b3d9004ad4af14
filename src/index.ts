/** Published as "waywiser": what plugin authors need, and what runs a collector inside another program. */

export type { CollectorConfig, ConfiguredEntry } from './collector/config-object.ts';
export {
  type CollectorSettings,
  createCollector,
  type EmbeddedCollector,
} from './collector/create-collector.ts';
export { access, type HttpRole } from './http/access.ts';
export { HttpProblem } from './http/http-problem.ts';
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
export { resolveSecret, Secret, type SecretSources } from './kernel/secrets.ts';
export { type ServiceToken, serviceToken } from './kernel/service-token.ts';
export {
  type Batch,
  type BooleanColumn,
  type Column,
  type ColumnFacts,
  type CounterColumn,
  gapAt,
  type ListColumn,
  type Metric,
  type MibColumn,
  type MibName,
  type MibNames,
  type NumberColumn,
  type Row,
  type Rows,
  rowsOf,
  type TextColumn,
  type Value,
  valueAt,
} from './model/batch.ts';
export { BatchDecoder } from './model/batch-form/batch-decoder.ts';
export { BatchEncoder } from './model/batch-form/batch-encoder.ts';
export { BatchFault } from './model/batch-form/batch-fault.ts';
export {
  type ChangeKind,
  type Changes,
  changeKinds,
  type DefinitionChanges,
  type Problem,
} from './model/definition-changes.ts';
export { type DeviceIdentity, type DeviceRef, type DeviceState, deviceKey } from './model/device.ts';
export type {
  DiscoveryCause,
  DiscoveryProgress,
  EventMap,
  EventName,
  InventoryChange,
  MovedRow,
  ScanCause,
  ScanCounts,
  ScanRef,
} from './model/event-map.ts';
export { type GapReason, gapCode, gapReasons } from './model/gap.ts';
export type { AutoInventory, Inventory, ObjectInventory } from './model/inventory.ts';
export type { InventoryCut } from './model/inventory-cut.ts';
export type { Oid } from './model/oid.ts';
export { ownRecord } from './model/own-record.ts';
export { suggestName } from './nearest-name.ts';
export type { FieldDeclaration, RowInput } from './pipeline/batch-rows.ts';
export { defineOutput } from './pipeline/output.ts';
export type { OutputContext, OutputPlugin, OutputWriter } from './pipeline/output-writer.ts';
export { PermanentError } from './pipeline/permanent-error.ts';
export { type Pipeline, type Processor, pipelineToken } from './pipeline/pipeline.ts';
export { defineProcessor } from './pipeline/processor.ts';
export { defineSource, type Measured, type SourceContext } from './pipeline/source.ts';
export { openStateJournal } from './storage/state-journal.ts';
export { type Static, type TSchema, Type } from './typebox.ts';
