/** Sends what a `curl` line says; answers with the status, once it is there: a stream is not read to its end. */
export async function curl(words: readonly string[]): Promise<number> {
  const headers = new Headers();
  let method: string | undefined;
  let body: string | undefined;
  let url: string | undefined;
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === '-N' || word === '-s') continue;
    if (!word.startsWith('-')) {
      if (url !== undefined) throw new Error(`curl would also ask ${word}`);
      url = word;
      continue;
    }
    const value = words[++i] ?? '';
    if (word === '-X') method = value;
    else if (word === '-d') body = value;
    else if (word === '-H') headers.set(...splitHeader(value));
    else throw new Error(`unknown here: curl ${word}`);
  }
  method ??= body === undefined ? 'GET' : 'POST';
  // As curl does: without this header of its own the body would be a form.
  if (body !== undefined && !headers.has('content-type')) {
    headers.set('content-type', 'application/x-www-form-urlencoded');
  }
  const response = await fetch(url ?? '', {
    method,
    headers,
    body: body ?? null,
    signal: AbortSignal.timeout(20_000),
  });
  await response.body?.cancel();
  return response.status;
}

function splitHeader(text: string): [string, string] {
  const colon = text.indexOf(':');
  return [text.slice(0, colon), text.slice(colon + 1).trim()];
}
