/** For plugins and commands: what the public types of `waywiser` leave out. */

export {
  type AddressRange,
  containsRange,
  formatAddress,
  hostsOf,
  parseAddress,
  parseNetwork,
} from './address-range.ts';
export { type Batch, hasSameTags, type Row, rowsOf } from './batch.ts';
export { BatchDecoder } from './batch-form/batch-decoder.ts';
export { ByteReader } from './batch-form/byte-reader.ts';
export { ByteWriter } from './batch-form/byte-writer.ts';
export { findDigits } from './batch-form/number-values.ts';
export { packSection, plainSection, unpackSection } from './batch-form/section-form.ts';
export { readTexts, writeTexts } from './batch-form/text-form.ts';
export type { ChangeKind, Problem } from './definition-changes.ts';
export { addressText, deviceStates } from './device.ts';
export { canonicalAddress, isLoopback } from './device-address.ts';
export { type DeviceSort, type DeviceSortKey, deviceSorts } from './device-sorts.ts';
export {
  advanceStatus,
  type Contact,
  type DeviceStatus,
  isDeviceStatus,
  newStatus,
  probePauseMs,
} from './device-status.ts';
export type { StreamEventMap, StreamEventName } from './event-map.ts';
export {
  compareInventories,
  decodeInventory,
  encodeInventory,
  type Inventory,
  listPartial,
  writeInventory,
} from './inventory.ts';
export { explainCut } from './inventory-cut.ts';
export { splitObjectInstance } from './object-instance.ts';
export { compareOids, type Oid } from './oid.ts';
export { isOwnRecord } from './own-record.ts';
export { toSafeName } from './safe-name.ts';
export { contextsOf } from './snmp-contexts.ts';
export { authProtocols, namesOf, privProtocols } from './v3-protocols.ts';
