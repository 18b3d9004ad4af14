/** What the built-in plugins share beyond the public API. Not published: it changes whenever we need it to. */

export { EventParser, type ParsedEvent } from './client/event-parser.ts';
export { packageRoot, shippedDefinitions } from './collector/own-package.ts';
export {
  type AutoAnswers,
  findAffectedDevices,
  findAutoAffected,
  findNewObjects,
  findRemappedDevices,
  type NewObject,
} from './definitions/changes/affected-devices.ts';
export { diffDefinitions, isUnchanged } from './definitions/changes/definition-diff.ts';
export { type ListedChange, listChanges } from './definitions/changes/listed-changes.ts';
export {
  type CheckedSet,
  checkSet,
  createCheckMemory,
  findSecretProblems,
} from './definitions/checking/check-set.ts';
export type { CheckedContent, CheckedFile, ReadFiles } from './definitions/checking/checked-file.ts';
export { ContentChecker } from './definitions/checking/content-checker.ts';
export {
  type DefinitionSections,
  type Origin,
  type SectionName,
  sectionNames,
  sectionsOf,
} from './definitions/checking/definition-sections.ts';
export { fillSettings, findDeviceDefaults } from './definitions/checking/devices/device-filler.ts';
export {
  createDeviceCheck,
  type DeviceProblem,
  type SingleDeviceCheck,
} from './definitions/checking/devices/single-device.ts';
export type { Replacement } from './definitions/checking/merge-files.ts';
export { ProblemLocator } from './definitions/checking/problem-locator.ts';
export { readingLimits } from './definitions/checking/reading-limits.ts';
export { compileDefinitions } from './definitions/compiler/compile-definitions.ts';
export type {
  AttributeRef,
  CompiledAttribute,
  CompiledDefinitions,
  CompiledGroup,
  CompiledNotification,
  CompiledObject,
  CompiledSensor,
  CompiledTemplate,
} from './definitions/compiler/compiled-definitions.ts';
export type { CompiledBefore } from './definitions/compiler/unchanged-parts.ts';
export { columnNamesFor } from './definitions/generation/column-names.ts';
export {
  type Cost,
  type CostSubject,
  estimateCost,
} from './definitions/generation/cost-estimate.ts';
export { findDeviceGroup } from './definitions/generation/device-group-finder.ts';
export { pollIntervalOf } from './definitions/generation/poll-interval.ts';
export {
  type FieldWriter,
  layoutRecords,
  type RecordColumn,
  type RecordLayout,
} from './definitions/generation/record-layout.ts';
export { pickArcs } from './definitions/index/index-arcs.ts';
export { createIndexDecoder } from './definitions/index/index-decoder.ts';
export type { IndexPart } from './definitions/index/index-part.ts';
export type { RowUnit } from './definitions/keywords/attribute-keywords.ts';
export { wordFinder } from './definitions/keywords/by-text.ts';
export type { RowCondition } from './definitions/keywords/object-keywords.ts';
export { ownAttributes } from './definitions/own-attributes.ts';
export {
  type DefinitionFolder,
  definitionFolders,
  findKindOf,
} from './definitions/schema/definition-folders.ts';
export {
  type DefinitionKind,
  definitionSchemas,
} from './definitions/schema/definition-kinds.ts';
export { type Severity, severities } from './definitions/schema/notification.ts';
export type {
  RawDefinitions,
  RawDevice,
  RawEntry,
} from './definitions/schema/raw-definitions.ts';
export { rootOf } from './definitions/selection/answer-roots.ts';
export { AutoCatalog, enterpriseOf, rootCandidate } from './definitions/selection/auto-catalog.ts';
export { chooseObjects } from './definitions/selection/choose-objects.ts';
export { defaultPollBudget, findUnaffordable, type PollBudget } from './definitions/selection/fit-budget.ts';
export {
  findLeftOut,
  type LeftOut,
  type LeftOutReason,
  leftOutText,
  leftOutWords,
} from './definitions/selection/left-out-reasons.ts';
export { leftOutReasonSchema, leftOutSchema } from './definitions/selection/left-out-schema.ts';
export { type ObjectWish, wishOf } from './definitions/selection/object-wish.ts';
export { type Candidate, PresenceSearch } from './definitions/selection/presence-search.ts';
export { RootReasons } from './definitions/selection/root-reasons.ts';
export {
  type ColumnDecoder,
  type ColumnValues,
  createDecoder,
} from './definitions/syntax/decode/column-decoder.ts';
export { ColumnMemory } from './definitions/syntax/decode/column-memory.ts';
export type { NameTally } from './definitions/syntax/decode/column-values.ts';
export { type DecodeOptions, scaleFor, unitFor } from './definitions/syntax/decode/decode-options.ts';
export { holdsOctets, type RawColumn, rawTag } from './definitions/syntax/decode/raw-column.ts';
export type { Scale, Syntax, SyntaxKind } from './definitions/syntax/syntax.ts';
export { findSyntax } from './definitions/syntax/syntax-table.ts';
export { findVocabularyRecord } from './definitions/vocabulary/records.ts';
export { type SensorClassName, sensorClasses } from './definitions/vocabulary/sensor-classes.ts';
export { type SensorState, sensorStates } from './definitions/vocabulary/sensor-parts.ts';
export { type SensorLimit, sensorLimits } from './definitions/vocabulary/sensor-words.ts';
export type { YamlPlaces } from './definitions/yaml/yaml-document.ts';
export { hasRole, httpRoles } from './http/access.ts';
export {
  type DevicePath,
  getAddressedDevice,
  getDevice,
  parseDeviceAddress,
  parsePort,
} from './http/addressed-device.ts';
export { isPartOfAnswer, roleHeader, scopeHeader, shardsScope } from './http/asked-scope.ts';
export { closeWithConnection } from './http/close-with-connection.ts';
export { findMerge, fleetFacts, fleetQuery, fleetRead } from './http/fleet-read.ts';
export { joinExpositions, labelExposition } from './http/join-expositions.ts';
export { histogramSamples, labelledMetric, type Metric, oneMetric, type Sample } from './http/metric.ts';
export { canChange, type FindSubject, ownerRead, subjectFinderOf } from './http/owner-read.ts';
export { quoteText } from './http/quote-text.ts';
export { devicePaths, deviceRefSchema, listOf } from './http/route-schemas.ts';
export { waitWithin } from './http/wait-within.ts';
export { limitToShards, wantedShards } from './http/wanted-shards.ts';
export { deepFreeze } from './kernel/deep-freeze.ts';
export { lockService } from './kernel/lock-service.ts';
export { isSecretReference } from './kernel/secrets.ts';
export { systemReasonOf } from './kernel/system-reason.ts';
export { hideUrlSecrets } from './kernel/url-text.ts';
export {
  type AddressRange,
  containsRange,
  formatAddress,
  hostsOf,
  parseAddress,
  parseNetwork,
} from './model/address-range.ts';
export { hasSameTags } from './model/batch.ts';
export { ByteReader } from './model/batch-form/byte-reader.ts';
export { ByteWriter } from './model/batch-form/byte-writer.ts';
export { findDigits } from './model/batch-form/number-values.ts';
export { packSection, plainSection, unpackSection } from './model/batch-form/section-form.ts';
export { readTexts, writeTexts } from './model/batch-form/text-form.ts';
export { changeKinds } from './model/definition-changes.ts';
export { addressText, deviceStates } from './model/device.ts';
export { canonicalAddress, isLoopback } from './model/device-address.ts';
export { type DeviceSort, type DeviceSortKey, deviceSorts } from './model/device-sorts.ts';
export {
  advanceStatus,
  type Contact,
  type DeviceStatus,
  isDeviceStatus,
  newStatus,
  probePauseMs,
} from './model/device-status.ts';
export type { StreamEventMap, StreamEventName } from './model/event-map.ts';
export {
  compareInventories,
  decodeInventory,
  encodeInventory,
  listPartial,
  writeInventory,
} from './model/inventory.ts';
export { explainCut } from './model/inventory-cut.ts';
export { splitObjectInstance } from './model/object-instance.ts';
export { compareOids } from './model/oid.ts';
export { isOwnRecord, ownRecord } from './model/own-record.ts';
export { toSafeName } from './model/safe-name.ts';
export { contextsOf } from './model/snmp-contexts.ts';
export { authProtocols, namesOf, privProtocols } from './model/v3-protocols.ts';
export { compareNatural } from './natural-order.ts';
export { findNearestName } from './nearest-name.ts';
export { checkListen, nameListenFailure } from './output-kit/connection/connection-failure.ts';
export { readTlsFiles, watchTlsFiles } from './output-kit/connection/tls-files.ts';
export { maxNumberBytes, writeCounter, writeFloat } from './output-kit/lines/number-digits.ts';
export { InfoLabels, infoLabelsOption } from './output-kit/naming/info-labels.ts';
export { escapeHelp, escapeText, labelText } from './output-kit/naming/label-text.ts';
export { buildColumns, columnOfOne } from './pipeline/batch-rows.ts';
export { LentBatches } from './pipeline/lent-batches.ts';
export { startThread } from './pipeline/thread/start-thread.ts';
export { askWorkers, type WorkerAnswer } from './sharding/ask-workers.ts';
export type {
  Claim,
  Coordinator,
  FleetChange,
  FleetListener,
  FleetSnapshot,
  Member,
  SavedShard,
} from './sharding/coordinator.ts';
export { reportShards } from './sharding/report-shards.ts';
export { listShards, shardCount, shardOf, shardOfTask } from './sharding/shard.ts';
export { ShardOwner } from './sharding/shard-owner.ts';
export {
  type Fleet,
  type MemberAnswer,
  type MemberCall,
  type MemberRequests,
  ownerSilentMs,
  type ShardPart,
  type Shards,
  shardsToken,
} from './sharding/shards.ts';
export { countOctets } from './snmp/request/count-octets.ts';
export { type AskedColumn, getAnswered } from './snmp/request/get-answered.ts';
export { checkWritable, isDiskFull, isMissing } from './storage/disk-failure.ts';
export { type FileSystem, nodeFileSystem } from './storage/file-system.ts';
export { Journal, type JournalWriter } from './storage/journal.ts';
export { replaceFile } from './storage/replace-file.ts';
export {
  type FrameHead,
  findFrameHead,
  frameBytes,
  isIntact,
  writeFrameHead,
} from './storage/segments/frame.ts';
export { RecordLog } from './storage/segments/record-log.ts';
export { writeAll } from './storage/write-all.ts';
export { type Clock, systemClock, WallTime } from './timing/clock.ts';
export {
  createDurationHistogram,
  Histogram,
  type Percentiles,
  percentilesOf,
} from './timing/histogram.ts';
export { SendPace, StartPace } from './timing/pace.ts';
export { runInWindow } from './timing/run-in-window.ts';
export { runToEnd, SliceTurns } from './timing/slices.ts';
export { untilAborted } from './timing/until-aborted.ts';
export { Wheel, WheelEntry } from './timing/wheel.ts';
export { TypeCompiler } from './typebox.ts';
