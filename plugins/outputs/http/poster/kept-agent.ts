import { type Agent, Agent as PlainAgent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { Logger } from '../../../../src/index.ts';
import { readTlsFiles, watchTlsFiles } from '../../../../src/internal.ts';
import type { PosterOptions } from './poster-parts.ts';

const settings = { keepAlive: true, maxSockets: 1, scheduling: 'lifo' } as const;

/** Keeps one connection open. Once its TLS files change, one that is made with the new ones takes its place. */
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

  /** For the next request; to be called when none is under way, as its connection may be ended here. */
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
