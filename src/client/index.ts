/** Published as "waywiser/client": the collector's HTTP API for programs. */
export type { EventMap, EventName, StreamEventMap, StreamEventName } from '../model/event-map.ts';
export { ApiClient } from './api-client.ts';
export { ApiProblem } from './api-problem.ts';
export type { FollowedEvent, FollowOptions } from './follow-events.ts';
export type {
  AnswerBody,
  CallOptions,
  InputArguments,
  OperationAnswer,
  OperationId,
  OperationInput,
} from './operation-types.ts';
export type { Operations } from './operations.ts';
export type { ClientOptions } from './request.ts';
export type * from './schemas.ts';
