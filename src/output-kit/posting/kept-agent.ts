import { type Agent, Agent as PlainAgent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { readTlsFiles, watchTlsFiles } from '../../connection/tls-files.ts';
import type { Logger } from '../../kernel/logger.ts';

import type { PosterOptions } from './poster-request.ts';

const settings = { keepAlive: true, maxSockets: 1, scheduling: 'lifo' } as const;

/** The HTTP agent of a poster: it keeps one connection open, and replaces it after its TLS files have changed. */
export class KeptAgent {
  readonly #stopWatching: () => void;
  #agent: Agent;
  #renewed: Agent | undefined;

  /** Throws when a TLS file cannot be used. */
  constructor(url: URL, tls: PosterOptions['tls'], log: Logger) {
    if (url.protocol === 'http:') {
      this.#agent = new PlainAgent(settings);
      this.#stopWatching = () => {};
      return;
    }
    const open = () => new SecureAgent({ ...settings, ...readTlsFiles(tls, `${url.origin}${url.pathname}`) });
    const renew = () => {
      this.#renewed = open();
    };
    this.#agent = open();
    this.#stopWatching = watchTlsFiles([tls.ca, tls.cert, tls.key], renew, log);
  }

  /** The agent for the next request. Call it when no request is in flight, because it may end the current connection. */
  get(): Agent {
    if (this.#renewed !== undefined) {
      this.#agent.destroy();
      this.#agent = this.#renewed;
      this.#renewed = undefined;
    }
    return this.#agent;
  }

  close(): void {
    this.#stopWatching();
    this.#agent.destroy();
  }
}
