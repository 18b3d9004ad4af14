import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type ServiceToken, serviceToken } from '../../src/index.ts';

/**
 * The routes that plugins add to the collector's HTTP API. Name the token in `needs` and call `add` in `start`, whatever
 * your plugin's kind: this service boots first, the API last. Without the plugin http-api nothing is served, and
 * adding is still fine.
 *
 * What the API does for your routes: TLS, the Host and Origin checks, authentication and roles, limits on sizes, times
 * and rates, audit lines, problem answers, and their place in /openapi.json. What it expects of them:
 * - a `schema` with `params`, `querystring`, `body` and every successful `response`, for only what the schema names is
 *   taken and sent. 4xx and 5xx answers are described for you. A schema with a `title`, such as `Lamp`, gets that name in
 *   the description and in clients that are generated from it;
 * - `config: access(role)`, unless the default fits: `read` for GET, `admin` for whatever changes something;
 * - paths below `/api/v1/`, except where a protocol wants another one;
 * - errors as `HttpProblem`. Anything else that is thrown is logged and answered 500 without its text;
 * - no work that holds the event loop for more than a few milliseconds: polling shares it.
 */
export interface HttpRoutes {
  /** `routes` is an encapsulated Fastify plugin, run once when the API starts. Throws when the API has started. */
  add(routes: RoutePlugin): void;
  /** For the plugin that serves them, once: everything that was added. Nothing can be added any more. */
  take(): readonly RoutePlugin[];
}

/** Run with what the API says of itself: `async (app, { waitMs }) => {}`. */
export type RoutePlugin = FastifyPluginAsyncTypebox<RouteFacts>;

export interface RouteFacts {
  /** How long a request that asks to wait may wait: `wait_ms` of http-api. */
  readonly waitMs: number;
  /** Aborts when the collector begins to stop: whoever waits is answered then. */
  readonly stopping: AbortSignal;
}

export const httpRoutesToken: ServiceToken<HttpRoutes> = serviceToken<HttpRoutes>('http-routes');
