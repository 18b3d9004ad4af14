import type { FastifyInstance } from 'fastify';

/** Which methods each path answers, learned as routes are added. */
export class RouteTable {
  readonly #routes: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];

  listen(app: FastifyInstance): void {
    app.addHook('onRoute', ({ url, method }) => {
      this.#routes.push({ pattern: patternOf(url), methods: [method].flat() });
    });
  }

  /** The methods that `path` answers, sorted; none for a path that is not there. */
  findMethods(path: string): readonly string[] {
    const methods = this.#routes
      .filter(({ pattern }) => pattern.test(path))
      .flatMap(({ methods }) => methods);
    return [...new Set(methods)].sort();
  }
}

function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part.startsWith(':')) return '[^/]+';
    return part === '*' ? '.*' : part.replace(/[.+?^${}()|[\]\\*]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}$`);
}
