import type { FastifyRequest } from 'fastify';
import { access, defineErrors, HttpProblem, type HttpRole, type Static, Type } from '../../../src/index.ts';
import type { HttpCaller, HttpCallers, RoutePlugin } from '../../http-routes/service.ts';
import { webPageErrors } from '../errors.ts';
import { refuseSecretInUrl } from '../secret-in-url.ts';
import { readSessionIds, writeSessionCookie } from './session-cookie.ts';
import { type SessionLimits, SessionTable } from './session-table.ts';

const failure = defineErrors(webPageErrors);

const signInSchema = Type.Object({
  token: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  user: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
});

const sessionSchema = Type.Object({
  name: Type.String(),
  roles: Type.Array(Type.String()),
  canOperate: Type.Boolean(),
  canAdmin: Type.Boolean(),
  /** The API answers only those who have signed in. */
  signInRequired: Type.Boolean(),
  /** Only for those who may read. */
  version: Type.Optional(Type.String()),
});

const granted: readonly HttpRole[] = ['read', 'operate', 'admin'];

/** `GET /page/session`, `POST /page/sign-in` and `POST /page/sign-out`. Not a part of the API: programs send a token with each request. */
export function sessionRoutes(limits: SessionLimits, version: string, now: () => number): RoutePlugin {
  const sessions = new SessionTable(limits, now);
  return async (app, { callers }) => {
    callers.recognize((request) => findOwner(sessions, request));
    const config = access('public');

    const describe = (caller: HttpCaller): Static<typeof sessionSchema> => {
      const { name, role } = caller;
      const roles = granted.slice(0, granted.indexOf(role) + 1);
      return {
        name,
        roles,
        canOperate: roles.includes('operate'),
        canAdmin: roles.includes('admin'),
        signInRequired: callers.areRequired(),
        ...(roles.length === 0 ? {} : { version }),
      };
    };

    const answering = { hide: true, response: { 200: sessionSchema } };
    app.get('/page/session', { config, schema: answering }, async (request) => describe(callers.of(request)));

    app.post(
      '/page/sign-in',
      { config, schema: { ...answering, body: signInSchema } },
      async (request, reply) => {
        refuseSecretInUrl(request);
        if (!callers.areRequired()) return describe(callers.of(request));
        const owner = await identify(callers, request);
        // An id that the browser had before is never kept: somebody else could know it.
        for (const id of readSessionIds(request)) sessions.close(id);
        const id = sessions.open(owner);
        void reply.header('set-cookie', writeSessionCookie(request, id, Math.ceil(limits.maxMs / 1000)));
        return describe(owner);
      },
    );

    app.post('/page/sign-out', { config, schema: { hide: true } }, async (request, reply) => {
      for (const id of readSessionIds(request)) sessions.close(id);
      return reply
        .code(204)
        .header('set-cookie', writeSessionCookie(request, '', 0))
        .send();
    });
  };
}

function findOwner(sessions: SessionTable, request: FastifyRequest): HttpCaller | undefined {
  // A page of another site, or of another port of this host, is no page of the collector.
  const { 'sec-fetch-site': site } = request.headers;
  if (site === 'cross-site' || site === 'same-site') return undefined;
  for (const id of readSessionIds(request)) {
    const owner = sessions.find(id);
    if (owner !== undefined) return owner;
  }
  return undefined;
}

async function identify(callers: HttpCallers, request: FastifyRequest): Promise<HttpCaller> {
  const { token, user, password } = request.body as Static<typeof signInSchema>;
  if (token !== undefined && user === undefined && password === undefined)
    return callers.identify(request, `Bearer ${token}`);
  if (token === undefined && user !== undefined && password !== undefined) {
    return callers.identify(request, `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`);
  }
  const received = Object.keys(request.body as object).join(', ') || 'nothing';
  const { code, message } = failure('WEB_PAGE_SIGN_IN_INCOMPLETE', { received });
  throw new HttpProblem(400, code, message);
}
