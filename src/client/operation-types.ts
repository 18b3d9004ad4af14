import type { Operations } from './operations.ts';

export type OperationId = keyof Operations;

/** The input of an operation: `path`, `query` and `body`, as far as the operation has them. */
export type OperationInput<Id extends OperationId> = Relaxed<Omit<Operations[Id], 'answers'>>;

/** A successful answer of an operation. The status determines the type of the body. */
export type OperationAnswer<Id extends OperationId> = AnswerIn<Operations[Id]['answers']>;

/** The body of an answer, or of the answer with the given status. */
export type AnswerBody<
  Id extends OperationId,
  Status extends keyof Operations[Id]['answers'] = keyof Operations[Id]['answers'],
> = Operations[Id]['answers'][Status];

/** The input, which is optional when nothing in it is required. */
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

/** Makes parts optional in which nothing is required. */
type Relaxed<Input> = {
  readonly [Part in keyof Input as Record<never, never> extends Input[Part] ? never : Part]: Input[Part];
} & {
  readonly [Part in keyof Input as Record<never, never> extends Input[Part] ? Part : never]?: Input[Part];
};
