/** Published as "waywiser/testing": agents that replay devices, a collector for tests, and the check of a plugin. */
export { type CheckCoordinatorOptions, checkCoordinator } from './check-coordinator.ts';
export { type CheckPluginOptions, checkPlugin } from './check-plugin.ts';
export { type PollRecordingOptions, pollRecording } from './poll-recording.ts';
export { createRecordingOutput, type RecordingOutput } from './recording-output.ts';
export { loadRecording, parseRecording } from './replay/recording/load-recording.ts';
export type { Recording } from './replay/recording/recording.ts';
export { RecordingError } from './replay/recording/recording-parser.ts';
export {
  type ReplayAgent,
  type ReplayAgentOptions,
  startReplayAgent,
  startReplayAgents,
} from './replay/replay-agent.ts';
export type { ReplayCounters } from './replay/replay-counters.ts';
export {
  healthyKnobs,
  type Jump,
  type Moment,
  type MovingValue,
  type ReplayKnobs,
  type TransientRow,
  type ValueFunction,
} from './replay/replay-knobs.ts';
export { seededRandom } from './replay/seeded-random.ts';
export { alternating, counting, dailyLevel, dailyTraffic } from './replay/value-functions.ts';
export { createTestBatch, type TestBatchParts } from './test-batch.ts';
export {
  type FakeService,
  startTestCollector,
  type TestCollector,
  type TestCollectorOptions,
  type TestPlugin,
} from './test-collector.ts';
