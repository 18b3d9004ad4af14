import type { Operations } from './operations.ts';

export type OperationId = keyof Operations;

/** What an operation takes: `path`, `query` and `body`, each where it has one. */
export type OperationInput<Id extends OperationId> = Relaxed<Omit<Operations[Id], 'answers'>>;

/** What an operation answers when it does what it should: its status tells which body it is. */
export type OperationAnswer<Id extends OperationId> = AnswerIn<Operations[Id]['answers']>;

/** The body of an answer; of the one with that status where there are several. */
export type AnswerBody<
  Id extends OperationId,
  Status extends keyof Operations[Id]['answers'] = keyof Operations[Id]['answers'],
> = Operations[Id]['answers'][Status];

/** The input, which may be left out where nothing in it is required. */
export type InputArguments<Id extends OperationId> =
  Record<never, never> extends OperationInput<Id>
    ? [input?: OperationInput<Id> & CallOptions]
    : [input: OperationInput<Id> & CallOptions];

export interface CallOptions {
  /** Aborts the call; it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

type AnswerIn<Answers> = {
  readonly [Status in keyof Answers]: { readonly status: Status; readonly body: Answers[Status] };
}[keyof Answers];

/** Parts of which nothing is required may be left out whole. */
type Relaxed<Input> = {
  readonly [Part in keyof Input as Record<never, never> extends Input[Part] ? never : Part]: Input[Part];
} & {
  readonly [Part in keyof Input as Record<never, never> extends Input[Part] ? Part : never]?: Input[Part];
};
