import type { StreamEventName } from '../model/event-map.ts';
import { type FollowedEvent, type FollowOptions, followEvents } from './follow-events.ts';
import type { InputArguments, OperationAnswer, OperationId } from './operation-types.ts';
import { operationPlaces } from './operations.ts';
import { ask, type ClientOptions } from './request.ts';

/** A client of a collector's HTTP API, with types from its description. It keeps no connection open. */
export class ApiClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * Calls an operation by its id: `call('getDevice', { path: { ip: '192.0.2.1', port: '161' } })`. Rejects with an
   * ApiProblem when the collector answers with an error, and with the code API_UNREACHABLE, API_TIMEOUT or
   * API_ANSWER_STRANGE when there is no such answer.
   */
  async call<Id extends OperationId>(id: Id, ...[input]: InputArguments<Id>): Promise<OperationAnswer<Id>> {
    const { path = {}, query = {}, body, signal } = (input ?? {}) as AnyInput;
    const place = operationPlaces[id];
    const answer = await ask(this.#options, {
      method: place.method,
      path: fillPath(place.path, path) + formatQuery(query),
      body,
      signal,
    });
    return answer as OperationAnswer<Id>;
  }

  /** Yields events as they happen. After a lost connection it reconnects; `events.missed` comes where events were lost. */
  events<Name extends StreamEventName = StreamEventName>(
    options: FollowOptions<Name> = {},
  ): AsyncGenerator<FollowedEvent<Name>, void> {
    return followEvents(this.#options, options);
  }
}

type QueryValue = string | number | boolean;

interface AnyInput {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** A list repeats the parameter for each of its values. */
function formatQuery(query: NonNullable<AnyInput['query']>): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) text.append(name, String(each));
  }
  return text.size === 0 ? '' : `?${text}`;
}
