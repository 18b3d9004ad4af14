import type { FastifyRequest } from 'fastify';
import { quoteText } from '../../../../src/internal.ts';
import { problem } from '../../problem/problem.ts';

/** Nothing is ever unpacked here: a few bytes could become gigabytes. */
export async function refuseEncoding({ headers }: FastifyRequest): Promise<void> {
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (encoding.toLowerCase() !== 'identity')
    throw problem('HTTP_CONTENT_ENCODING', { received: quoteText(encoding) });
}
