/** For outputs that send the same documents elsewhere. */
export { type CutMessages, cutMessages, type Message } from './lines/cut-messages.ts';
export { documentOptions, messageOptions } from './lines/document-options.ts';
export { LineRenderer, type LineSettings } from './lines/line-renderer.ts';
