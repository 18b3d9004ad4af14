import type { TestContext } from 'node:test';
import registry from '../../../../plugins/device-registry/index.ts';
import httpApi from '../../../../plugins/http-api/index.ts';
import { httpApiToken } from '../../../../plugins/http-api/service.ts';
import httpRoutes from '../../../../plugins/http-routes/index.ts';
import snmpApi from '../../../../plugins/snmp-api/index.ts';
import client from '../../../../plugins/snmp-client/index.ts';
import discovery from '../../../../plugins/snmp-discovery/index.ts';
import { discoveryToken } from '../../../../plugins/snmp-discovery/service.ts';
import type { Plugin } from '../../../../src/index.ts';
import {
  startTestCollector,
  type TestCollectorOptions,
  type TestPlugin,
} from '../../../../src/testing/index.ts';
import type { DefinitionFolder } from '../../support/definition-folder.ts';
import { inlineLoader } from '../../support/inline-loader.ts';

export interface ApiStackOptions {
  /** The definitions-loader, by default one without a thread. */
  readonly loader?: Plugin;
  readonly api?: { readonly limits?: object; readonly [option: string]: unknown };
  readonly more?: readonly TestPlugin[];
  readonly env?: Readonly<Record<string, string>>;
  readonly logLevel?: TestCollectorOptions['logLevel'];
}

/** The whole collector behind its API, on real sockets. */
export async function startApi(test: TestContext, folder: DefinitionFolder, options: ApiStackOptions = {}) {
  // On a busy machine everything is late. Only the test of this limit sets it.
  const limits = { loop_delay_ms: 60_000, ...options.api?.limits };
  const collector = await startTestCollector({
    env: options.env ?? {},
    ...(options.logLevel === undefined ? {} : { logLevel: options.logLevel }),
    plugins: [
      { plugin: options.loader ?? inlineLoader, options: { shipped: false, directories: [folder.path] } },
      { plugin: registry },
      { plugin: client },
      { plugin: discovery },
      { plugin: httpRoutes },
      { plugin: snmpApi },
      ...(options.more ?? []),
      { plugin: httpApi, options: { port: 0, ...options.api, limits } },
    ],
  });
  test.after(() => collector.stop());
  const { baseUrl } = collector.getService(httpApiToken);
  const heard: string[] = [];
  collector.events.on(
    'discovery.completed',
    ({ device, cause }) => void heard.push(`${device.name} ${cause}`),
  );
  return {
    collector,
    baseUrl,
    /** Completed discoveries: `name cause`. */
    heard,
    call: (method: string, path: string, init: RequestInit = {}) => call(baseUrl + path, { method, ...init }),
    post: (path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
      call(baseUrl + path, {
        method: 'POST',
        ...(body === undefined
          ? { headers }
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }),
      }),
    async settle(): Promise<void> {
      for (;;) {
        const open = collector.getService(discoveryToken).runs.filter(({ outcome }) => outcome === undefined);
        if (open.length === 0) return;
        await Promise.all(open.map(({ ended }) => ended));
      }
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests check what an answer contains
  readonly body: any;
}

async function call(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  const body = /json/.test(type) ? JSON.parse(text) : undefined;
  return { status: response.status, type, headers: response.headers, text, body };
}
