import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Metric } from '../../src/http/index.ts';
import {
  type DeviceIdentity,
  type DeviceRef,
  type DeviceState,
  type HttpRole,
  type ServiceToken,
  serviceToken,
} from '../../src/index.ts';

/**
 * The routes that plugins add to the collector's HTTP API. Put the token into `needs` and call `add` in `start`. This works
 * for every kind of plugin, because this service starts first and the API last. Without the plugin http-api, routes can
 * still be added, but nothing serves them.
 *
 * The API adds to your routes: TLS, the checks of host and origin, authentication and roles, limits on sizes, times and
 * rates, request ids, audit lines, problem answers, and their description in /openapi.json. Your routes need:
 * - a `schema` with `params`, `querystring`, `body` and every successful `response`: only fields of the schema are accepted
 *   and sent. 4xx and 5xx answers are described for you. A schema with a `title`, such as `Lamp`, gets that name in
 *   the description and in clients that are generated from it;
 * - `config: access(role)`, unless the default fits: `read` for GET, `admin` for methods that change something;
 * - paths below `/api/v1/`, unless a protocol requires another path;
 * - `requestId: request.id` in each log line about a request;
 * - errors as `HttpProblem`. Any other error is logged, and answered with 500 without its text;
 * - no work that blocks the event loop for more than a few milliseconds, because polling uses it too.
 */
export interface HttpRoutes {
  /** `routes` is an encapsulated Fastify plugin that runs once, when the API starts. Throws when the API has started. */
  add(routes: RoutePlugin): void;
  /**
   * Adds metrics to GET /metrics. `list` is called for each scrape; its metrics are left out when it throws. Labels must have few values,
   * which neither clients nor devices choose.
   */
  addMetrics(list: () => readonly Metric[] | Promise<readonly Metric[]>): void;
  /** For the plugin that serves them: the metrics of all plugins now. */
  listMetrics(): Promise<readonly Metric[]>;
  /** For the plugin that knows the devices: what the API says about them. Throws when another plugin has done it, and when the API has started. */
  addDevices(devices: ApiDevices): void;
  /** For the plugin that serves the routes; undefined in a collector without devices. */
  findDevices(): ApiDevices | undefined;
  /** For the plugin that serves the routes: returns all of them, once. After that, no route can be added. */
  take(): readonly RoutePlugin[];
}

export type { Metric, Sample } from '../../src/http/index.ts';

/** A Fastify plugin whose options are the facts below: `async (app, { waitMs }) => {}`. */
export type RoutePlugin = FastifyPluginAsyncTypebox<RouteFacts>;

export interface RouteFacts {
  /** The longest time that a request with `wait=true` may wait: `wait_ms` of http-api. */
  readonly waitMs: number;
  /** Aborts when the collector begins to stop. Answer waiting requests then. */
  readonly stopping: AbortSignal;
  readonly callers: HttpCallers;
  /** What clients may add as a device: `managed_devices` of http-api. */
  readonly managedDevices: ManagedDeviceRules;
  /**
   * In a cluster: the answer of another member to the same request; undefined when no other member has what it names, or when the request is for
   * this member alone.
   */
  readonly askOthers: (request: FastifyRequest) => Promise<object | undefined>;
}

export interface ManagedDeviceRules {
  /** The networks they may be in; undefined for all addresses that can be those of devices. */
  readonly networks?: readonly string[];
  /** The secrets they may refer to, such as `env:SNMP_*`. */
  readonly secrets: readonly string[];
  readonly host_names: boolean;
}

/** The devices of a collector, as far as the API speaks of them. */
export interface ApiDevices {
  readonly size: number;
  devices(): Iterable<{ readonly ref: DeviceRef }>;
  /** The number of devices in each state, of the devices that this process asks. */
  countStates(): Readonly<Record<DeviceState, number>>;
  /** The number of the current definitions. */
  readonly generation: number;
  /** Problems that do not stop the work, as sentences. */
  listProblems(): readonly string[];
  /**
   * The device that a request without `ownerRead` is about; undefined for none, and for one that is unknown here. May throw an HttpProblem, which
   * counts as unknown. In a cluster the owner of the device answers.
   */
  findSubject(request: FastifyRequest): DeviceIdentity | undefined;
}

/** Who sends requests. A plugin that keeps browsers signed in builds on it; other routes only state the role that they need. */
export interface HttpCallers {
  /** Whether requests need a credential: from the first token or password on. */
  areRequired(): boolean;
  /** The sender of a request; with the role `public` when it has no credential. */
  of(request: FastifyRequest): HttpCaller;
  /**
   * Checks a credential, in the form of the header Authorization, as if the request had been sent with it. Throws an HttpProblem when it is
   * wrong, or when too many wrong ones came from the address.
   */
  identify(request: FastifyRequest, authorization: string): Promise<HttpCaller>;
  /**
   * `find` is asked for the sender of each request without the header Authorization, such as the owner of a cookie. A browser adds cookies to
   * requests of any page, so what such a sender changes must come from a page of the collector: the API checks it.
   */
  recognize(find: (request: FastifyRequest) => HttpCaller | undefined): void;
}

/** The authenticated sender of a request. */
export interface HttpCaller {
  /** The name in audit lines and in records of changes. */
  readonly name: string;
  readonly role: HttpRole;
  /** Whether the credential is still valid. Long answers, such as event streams, check it from time to time. */
  readonly isCurrent: () => boolean;
}

export const httpRoutesToken: ServiceToken<HttpRoutes> = serviceToken<HttpRoutes>('http-routes');
