import type { FastifyRequest } from 'fastify';

const cookieName = 'waywiser_session';

/** The ids of sessions that a browser sent. Another site of the same domain can add a cookie of that name, so there may be several. */
export function readSessionIds({ headers: { cookie = '' } }: FastifyRequest): string[] {
  return cookie
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each.startsWith(`${cookieName}=`))
    .map((each) => each.slice(cookieName.length + 1))
    .slice(0, 5);
}

/**
 * The header Set-Cookie. Scripts cannot read it, and no other site's page makes a browser send it. The collector does not know below which
 * path a proxy shows it, so it is valid for all paths.
 */
export function writeSessionCookie(request: FastifyRequest, id: string, maxAgeSeconds: number): string {
  const parts = [`${cookieName}=${id}`, 'Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Strict'];
  return [...parts, ...(isOverTls(request) ? ['Secure'] : [])].join('; ');
}

/** The browser states in Origin how it sees the page. The connection from a reverse proxy can be without TLS. */
function isOverTls({ protocol, headers: { origin } }: FastifyRequest): boolean {
  return protocol === 'https' || (origin ?? '').startsWith('https:');
}
