import { connectionFailure } from '../../../../src/internal.ts';

/** What a status means that is about who asks or where, and not about what was sent; undefined for all others. */
export function findAccessFailure(status: number, url: URL, message: string): Error | undefined {
  const server = url.origin;
  const place = url.pathname;
  const cause = new Error(message);
  switch (status) {
    case 401:
    case 407:
      return connectionFailure('SERVER_REFUSED_LOGIN', { server }, cause);
    case 403:
      return connectionFailure('SERVER_FORBIDS', { server, place }, cause);
    case 404:
      return connectionFailure('SERVER_LACKS_PLACE', { server, place }, cause);
    default:
      // A redirect, or a place that takes no POST.
      return (status >= 300 && status < 400) || status === 405 ? cause : undefined;
  }
}
