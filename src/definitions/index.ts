/** For plugins and commands: definitions as they are checked, compiled, compared and chosen. */

export {
  type AutoAnswers,
  findAffectedDevices,
  findAutoAffected,
  findNewObjects,
  findRemappedDevices,
  type NewObject,
} from './changes/affected-devices.ts';
export { diffDefinitions, isUnchanged, listFieldChanges } from './changes/definition-diff.ts';
export { describeFields, type FieldText, type ListedChange, listChanges } from './changes/listed-changes.ts';
export { type CheckedSet, checkSet, createCheckMemory, findSecretProblems } from './checking/check-set.ts';
export type { CheckedContent, CheckedFile, ReadFiles } from './checking/checked-file.ts';
export { ContentChecker } from './checking/content-checker.ts';
export {
  type DefinitionSections,
  type Origin,
  type SectionName,
  sectionNames,
  sectionsOf,
} from './checking/definition-sections.ts';
export { fillSettings, findDeviceDefaults } from './checking/devices/device-filler.ts';
export {
  createDeviceCheck,
  type DeviceProblem,
  type SingleDeviceCheck,
} from './checking/devices/single-device.ts';
export type { Replacement } from './checking/merge-files.ts';
export { ProblemLocator } from './checking/problem-locator.ts';
export { readingLimits } from './checking/reading-limits.ts';
export { compileDefinitions } from './compiler/compile-definitions.ts';
export type {
  AttributeRef,
  CompiledAttribute,
  CompiledDefinitions,
  CompiledGroup,
  CompiledNotification,
  CompiledObject,
  CompiledSensor,
  CompiledTemplate,
} from './compiler/compiled-definitions.ts';
export type { CompiledBefore } from './compiler/unchanged-parts.ts';
export { columnNamesFor } from './generation/column-names.ts';
export { findDeviceGroup } from './generation/device-group-finder.ts';
export { pollIntervalOf } from './generation/poll-interval.ts';
export {
  type FieldWriter,
  layoutRecords,
  type RecordColumn,
  type RecordLayout,
} from './generation/record-layout.ts';
export { pickArcs } from './index/index-arcs.ts';
export { createIndexDecoder } from './index/index-decoder.ts';
export type { IndexPart, IndexType } from './index/index-part.ts';
export type { RowUnit } from './keywords/attribute-keywords.ts';
export { wordFinder } from './keywords/by-text.ts';
export { compileFields } from './keywords/field.ts';
export type { RowCondition } from './keywords/object-keywords.ts';
export { ownAttributes } from './own-attributes.ts';
export { parentOid } from './parent-oid.ts';
export { type DefinitionFolder, definitionFolders, findKindOf } from './schema/definition-folders.ts';
export { type DefinitionKind, definitionKinds, definitionSchemas } from './schema/definition-kinds.ts';
export { type Category, type Severity, severities } from './schema/notification.ts';
export type { DefinitionPath, RawDefinitions, RawDevice, RawEntry } from './schema/raw-definitions.ts';
export { rootOf } from './selection/answer-roots.ts';
export { AutoCatalog, enterpriseOf, rootCandidate } from './selection/auto-catalog.ts';
export { chooseObjects } from './selection/choose-objects.ts';
export { type Cost, type CostSubject, estimateCost } from './selection/cost-estimate.ts';
export { defaultPollBudget, findUnaffordable, type PollBudget } from './selection/fit-budget.ts';
export {
  findLeftOut,
  type LeftOut,
  type LeftOutReason,
  leftOutText,
  leftOutWords,
  listRootReasons,
} from './selection/left-out-reasons.ts';
export { leftOutReasonSchema, leftOutSchema } from './selection/left-out-schema.ts';
export { type ObjectWish, wishOf } from './selection/object-wish.ts';
export { type Candidate, PresenceSearch } from './selection/presence-search.ts';
export { RootReasons } from './selection/root-reasons.ts';
export { checkStyle } from './style/check-style.ts';
export { decodeAddress } from './syntax/decode/address-text.ts';
export { type ColumnDecoder, type ColumnValues, createDecoder } from './syntax/decode/column-decoder.ts';
export { ColumnMemory } from './syntax/decode/column-memory.ts';
export type { NameTally } from './syntax/decode/column-values.ts';
export { readDateInText } from './syntax/decode/date-in-text.ts';
export { type DecodeOptions, scaleFor, unitFor } from './syntax/decode/decode-options.ts';
export { holdsOctets, type RawColumn, rawTag } from './syntax/decode/raw-column.ts';
export type { Scale, Syntax, SyntaxKind } from './syntax/syntax.ts';
export { findSyntax } from './syntax/syntax-table.ts';
export { findVocabularyRecord } from './vocabulary/records.ts';
export { type SensorClassName, sensorClasses } from './vocabulary/sensor-classes.ts';
export { type SensorState, sensorStates } from './vocabulary/sensor-parts.ts';
export { type SensorLimit, sensorLimits } from './vocabulary/sensor-words.ts';
export { LineIndex } from './yaml/line-index.ts';
export { parseYaml } from './yaml/parse-yaml.ts';
export type { PositionNode } from './yaml/position-node.ts';
export type { YamlPlaces } from './yaml/yaml-document.ts';
