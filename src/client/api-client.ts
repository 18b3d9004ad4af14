import type { EventName } from '../model/event-map.ts';
import { type FollowedEvent, type FollowOptions, followEvents } from './follow-events.ts';
import type { InputArguments, OperationAnswer, OperationId } from './operation-types.ts';
import { operationPlaces } from './operations.ts';
import { ask, type ClientOptions } from './request.ts';

/** A collector's HTTP API, typed by its own description. Holds no connection. */
export class ApiClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * Calls an operation by its id: `call('getDevice', { path: { ip: '192.0.2.1', port: '161' } })`. Rejects with an
   * ApiProblem for whatever the collector answers but success, else with the code API_UNREACHABLE, API_TIMEOUT or
   * API_ANSWER_STRANGE.
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

  /** Events as they happen; a lost connection is made again without losing any. */
  events<Name extends EventName = EventName>(
    options: FollowOptions<Name> = {},
  ): AsyncGenerator<FollowedEvent<Name>, void> {
    return followEvents(this.#options, options);
  }
}

interface AnyInput {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

function formatQuery(query: NonNullable<AnyInput['query']>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}
