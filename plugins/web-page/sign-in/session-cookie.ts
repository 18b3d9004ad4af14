import type { FastifyRequest } from 'fastify';

const plainName = 'waywiser_session';
/** Over TLS: a browser takes a cookie of this name from this host alone, over TLS. */
const hostName = `__Host-${plainName}`;

/**
 * The ids of sessions that a browser sent, those that only this host can have set first. Other sites of the same domain can add cookies of the plain
 * name, as many as fit into a request: none of them hides the true one.
 */
export function readSessionIds({ protocol, headers: { cookie = '' } }: FastifyRequest): Iterable<string> {
  const cookies = cookie.split(';').map((each) => each.trim());
  const names = protocol === 'https' ? [hostName] : [hostName, plainName];
  return new Set(
    names.flatMap((name) =>
      cookies.filter((each) => each.startsWith(`${name}=`)).map((each) => each.slice(name.length + 1)),
    ),
  );
}

/**
 * The header Set-Cookie. Scripts cannot read it, and no other site's page makes a browser send it. The collector does not know below which
 * path a proxy shows it, so it is valid for all paths.
 */
export function writeSessionCookie(request: FastifyRequest, id: string, maxAgeSeconds: number): string {
  const isSecure = isOverTls(request);
  const name = isSecure ? hostName : plainName;
  const parts = [`${name}=${id}`, 'Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Strict'];
  return [...parts, ...(isSecure ? ['Secure'] : [])].join('; ');
}

/** The browser states in Origin how it sees the page. The connection from a reverse proxy can be without TLS. */
function isOverTls({ protocol, headers: { origin } }: FastifyRequest): boolean {
  return protocol === 'https' || (origin ?? '').startsWith('https:');
}
