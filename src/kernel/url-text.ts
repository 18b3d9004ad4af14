/**
 * Returns a text with its URLs as they may be shown to anyone: without user, password, query and fragment, because each of them may hold
 * a secret. Everything that is logged, answered or printed passes through here.
 */
export function hideUrlSecrets(text: string): string {
  if (!text.includes('://')) return text;
  return text.replace(urls, (_, scheme: string, rest: string) => scheme + showPlace(rest));
}

const urls = /([a-z][a-z\d+.-]*:\/\/)([^\s"'`<>\\]*)/gi;

/** Host, port and path of what follows the scheme. */
function showPlace(rest: string): string {
  const place = rest.replace(/[?#].*/s, '');
  // A password may contain a slash by mistake, so the last @ counts.
  const shown = place.slice(place.lastIndexOf('@') + 1);
  // The same with ? or #: what stands before them would be user and password.
  return rest.includes('@') && /^[^/]*:(?!\d*(\/|$))[^\]]*$/.test(shown) ? '***' : shown;
}
