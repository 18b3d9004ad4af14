/** Published as "waywiser/snmp": an SNMP manager for v1, v2c and v3, independent of plugins and definitions. */
export { berTag } from './codec/ber-tag.ts';
export { CommunityCodec, type CommunityMessage } from './codec/community-message.ts';
export { decodeOid, encodeOid } from './codec/oid-bytes.ts';
export { type ErrorStatus, errorStatuses, type Pdu, type PduType } from './codec/pdu.ts';
export {
  type ExceptionType,
  isException,
  type SnmpType,
  type SnmpValue,
  type ValueByType,
  type Varbind,
} from './codec/snmp-value.ts';
export { type CompileLimits, compileGet, compileTable, type TableParts } from './compiled/compile.ts';
export type { CompiledRequest, Dialect } from './compiled/compiled-request.ts';
export type { PollOptions, PollOutcome } from './compiled/poll.ts';
export { createPollColumns, holdsValue, type PollColumns, slotStatus } from './compiled/poll-columns.ts';
export { createNetSnmpEngine } from './net-snmp-engine/create-net-snmp-engine.ts';
export type { SignedMark } from './notifications/copy-filter.ts';
export type { DropEntry } from './notifications/drop-ledger.ts';
export {
  type ListenAddress,
  type ListenerStatistics,
  NotificationListeners,
} from './notifications/listeners.ts';
export type {
  Notification,
  NotificationSecurity,
  NotificationVersion,
} from './notifications/notification.ts';
export { type CollapseReason, type DropCause, dropCauses, type Verdict } from './notifications/outcome.ts';
export { NotificationReceiver } from './notifications/receiver.ts';
export type {
  ReceiverLimits,
  ReceiverMemory,
  ReceiverOptions,
  ReceiverUser,
} from './notifications/receiver-options.ts';
export type { ReceiverStatistics } from './notifications/receiver-statistics.ts';
export {
  createNotificationSender,
  type NotificationSender,
  type SenderOptions,
} from './notifications/sender.ts';
export type { NotificationRights, SenderCredentials, SenderRule } from './notifications/sender-rights.ts';
export { listTrapOids, type NotificationBody } from './notifications/trap-translation.ts';
export {
  type CommunityTarget,
  nameTarget,
  type Target,
  type TargetOptions,
  type UserTarget,
} from './peer/target.ts';
export { type LearnedState, parseLearnedState, type TableState } from './request/learned.ts';
export { type AgentIdentity, identifyAgent } from './session/identify-agent.ts';
export { createManager, type Manager, type ManagerOptions } from './session/manager.ts';
export type {
  BulkRequest,
  RequestOptions,
  Session,
  SnmpEngine,
  SnmpSession,
  SnmpWalk,
} from './session/snmp-session.ts';
export { SnmpError, type SnmpErrorCode, type SnmpErrorFacts, snmpErrors } from './snmp-error.ts';
export type { TransportCounters } from './transport/counters.ts';
export type { EngineFinding } from './usm/engine/engine-finding.ts';
export type { EngineState } from './usm/engine/engine-table.ts';
export type { SecurityLevelName } from './usm/user/security-level.ts';
export type { UserSettings } from './usm/user/user-settings.ts';
export { formatVarbind } from './varbind-text.ts';
export type { WalkOptions, WalkOutcome } from './walk/walk.ts';
export type { PartialReason } from './walk/walk-column.ts';
