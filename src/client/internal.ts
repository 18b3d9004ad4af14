/** For commands: what index.ts does not publish. */

export { EventParser, type ParsedEvent } from './event-parser.ts';
