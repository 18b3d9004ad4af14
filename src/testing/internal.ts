/** For commands: what index.ts does not publish. */

export { readRecording } from './replay/recording/load-recording.ts';
export type { VarbindSink } from './replay/recording/recording-builder.ts';
