/** Published as "waywiser/output-kit": parts that the author of an output builds on. README.md shows how they fit together. */

export { connectionFailure, nameConnectionFailure } from '../connection/connection-failure.ts';
export { type ConnectionDriver, KeptConnection } from '../connection/kept-connection.ts';
export { importOptional } from '../connection/optional-package.ts';
export { readTlsFiles, type TlsFiles, tlsSchema } from '../connection/tls-files.ts';
export { runInSlices } from '../timing/slices.ts';
export { untilAborted } from '../timing/until-aborted.ts';
export { ExpiringMap } from './expiring-map.ts';
export { type AddressSyntax, type AddressTemplate, compileAddress } from './lines/address-template.ts';
export {
  type CutMessages,
  cutMessages,
  type Message,
  type MessageUnit,
  messageOptions,
} from './lines/cut-messages.ts';
export { documentOptions, LineRenderer, type LineSettings } from './lines/line-renderer.ts';
export { TextBuffer } from './lines/text-buffer.ts';
export {
  type ColumnFamilies,
  listStates,
  type NamingSettings,
  nameColumns,
  namingOptions,
} from './naming/column-families.ts';
export { type Family, type FamilyKind, FamilyTable } from './naming/family-table.ts';
export { labelValue, type Naming } from './naming/name-text.ts';
export { type Label, listRowLabels, type RowLabelList } from './naming/row-label-list.ts';
export { SensorSplitter } from './naming/split-sensors.ts';
export { type EncodedPart, GroupSender, type GroupSenderSettings } from './posting/group-sender.ts';
export { createPoster, type Post, type Poster, type PosterSettings } from './posting/poster.ts';
export { type PostAnswer, Refusal } from './posting/poster-answer.ts';
export { gzipOption, postingOptions } from './posting/poster-options.ts';
export { extendUrl, type PosterOptions } from './posting/poster-request.ts';
export type { GroupEntry } from './posting/request-part.ts';
export { RowCache } from './row-cache.ts';
export type { TrackedBatch } from './series/ended-series.ts';
export {
  createTrackedWriter,
  type TrackedWriterContext,
  type TrackedWriterSettings,
} from './series/tracked-writer.ts';
