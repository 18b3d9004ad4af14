import { connectionFailure, nameConnectionFailure } from '../../../src/output-kit/index.ts';

/** Errors that a retry would repeat, by their names in the protocol. */
const permanent: readonly unknown[] = [
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_RECORD',
  'INVALID_TIMESTAMP',
  'UNSUPPORTED_FOR_MESSAGE_FORMAT',
  'POLICY_VIOLATION',
];

export function isPermanent(error: unknown): boolean {
  return listErrors(error).some((each) => 'apiId' in each && permanent.includes(each.apiId));
}

/** Returns an error that says what the operator can do, where Kafka gives a reason. Otherwise the error itself. */
export function nameFailure(
  server: string,
  topic: string,
  error: unknown,
  stage: { readonly handshake: boolean } = { handshake: false },
): unknown {
  const errors = listErrors(error);
  const hasId = (...ids: readonly unknown[]) =>
    errors.some((each) => 'apiId' in each && ids.includes(each.apiId));
  const place = `topic ${topic}`;
  if (hasId('SASL_AUTHENTICATION_FAILED', 'UNSUPPORTED_SASL_MECHANISM', 'ILLEGAL_SASL_STATE')) {
    return connectionFailure('SERVER_REFUSED_LOGIN', { server }, error);
  }
  if (hasId('UNKNOWN_TOPIC_OR_PARTITION', 'INVALID_TOPIC_EXCEPTION')) {
    return connectionFailure('SERVER_LACKS_PLACE', { server, place }, error);
  }
  if (hasId('TOPIC_AUTHORIZATION_FAILED', 'CLUSTER_AUTHORIZATION_FAILED')) {
    return connectionFailure('SERVER_FORBIDS', { server, place }, error);
  }
  const named = nameConnectionFailure(server, error, stage);
  // The package does not say why a connection was closed.
  const isClosed = errors.some(({ message }) => message === 'Connection closed');
  return named === error && stage.handshake && isClosed
    ? connectionFailure('SERVER_NOT_TRUSTED', { server }, error)
    : named;
}

function listErrors(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  const parts: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return [error, ...parts.flatMap(listErrors), ...listErrors(error.cause)];
}
