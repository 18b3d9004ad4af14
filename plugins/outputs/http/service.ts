/** For outputs that post another format. */
export { type EncodedPart, GroupSender, type GroupSenderSettings } from './group/group-sender.ts';
export type { GroupEntry } from './group/request-part.ts';
export { FadingMap } from './memory/fading-map.ts';
export { RowMemory } from './memory/row-memory.ts';
export { extendUrl } from './poster/extend-url.ts';
export { type Answer, createPoster, type Poster } from './poster/poster.ts';
export { gzipOption, postingOptions } from './poster/poster-options.ts';
