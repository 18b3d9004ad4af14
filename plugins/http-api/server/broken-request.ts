import type { Socket } from 'node:net';
import type { HttpProblem } from '../../../src/index.ts';
import { problem } from '../problem/problem.ts';
import { documentOf, problemType } from '../problem/problem-document.ts';

/** Answers input that is not a valid HTTP request, and closes the connection. */
export function answerBrokenRequest(
  error: { readonly code: string },
  socket: Socket,
  maxHeaderBytes: number,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  answerConnection(socket, renderAnswer(problemOf(error.code, maxHeaderBytes)));
}

/** Answers a connection instead of a request, and closes it. */
export function answerConnection(socket: Socket, answer: string): void {
  socket.end(answer, () => socket.destroy());
}

/** An answer that closes its connection. */
export function renderAnswer(found: HttpProblem): string {
  const document = documentOf(found);
  const body = JSON.stringify(document);
  return `HTTP/1.1 ${found.status} ${document.title}\r\ncontent-type: ${problemType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`;
}

function problemOf(code: string, maxBytes: number): HttpProblem {
  if (code === 'HPE_HEADER_OVERFLOW') return problem('HTTP_HEADERS_TOO_LARGE', { maxBytes });
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problem('HTTP_REQUEST_TIMEOUT', {});
  const reason =
    code === 'CONNECT'
      ? 'the collector is not a proxy, so it does not support CONNECT'
      : 'it is not HTTP/1.1';
  return problem('HTTP_REQUEST_MALFORMED', { reason });
}
