/** For outputs that send the same documents elsewhere. */
export { LineRenderer, type LineSettings } from './lines/line-renderer.ts';
