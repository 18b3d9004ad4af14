import type { ErrorTable } from '../../src/index.ts';

export const httpErrors = {
  HTTP_REQUEST_MALFORMED: 'The request cannot be read: {reason}.',
  HTTP_REQUEST_TIMEOUT: 'The request did not arrive completely in time.',
  HTTP_HEADERS_TOO_LARGE: 'The headers are larger than {maxBytes} bytes.',
  HTTP_BODY_MALFORMED: 'The body is not valid JSON.',
  HTTP_BODY_TOO_LARGE: 'The body is larger than {maxBytes} bytes.',
  HTTP_CONTENT_TYPE: 'The body must be application/json; the content type received is {received}.',
  HTTP_CONTENT_ENCODING: 'The body must not be compressed; the content encoding received is {received}.',
  HTTP_NOT_FOUND:
    'There is nothing at {path}. GET /openapi.json lists all routes; /docs shows them in a browser.',
  HTTP_METHOD_NOT_ALLOWED: '{path} does not support the method {method}. It supports {allowed}.',
  HTTP_HOST_UNKNOWN:
    'The request is for the host {received}, which is neither a name of this collector nor an address that it listens on. Use one of these, or add the name or address to `hosts` of http-api.',
  HTTP_ORIGIN_REFUSED:
    'The request comes from a web page of {received}. Pages of other sites must not change anything here. Send the request from a client program instead.',
  HTTP_ORIGIN_MISSING:
    'The request has the cookie of a signed-in browser, but no header "Origin" that shows which page sent it. Programs send the header "Authorization: Bearer …" instead of a cookie.',
  HTTP_TOKEN_MISSING:
    'This request needs a token or a password. Send the header "Authorization: Bearer …" or "Authorization: Basic …".',
  HTTP_TOKEN_UNKNOWN: 'The token is unknown or has expired. `waywiser token new` creates one.',
  HTTP_PASSWORD_WRONG: 'The name or the password is wrong, or the password has expired.',
  HTTP_PASSWORD_ATTEMPTS: 'Too many wrong passwords came from this address. Try again in a minute.',
  HTTP_ROLE_TOO_LOW: 'This request needs the role {needed}. Your role is {given}.',
  HTTP_RATE_LIMITED: 'More than {max} requests per second came from this address. Try again in a moment.',
  HTTP_CONNECTIONS:
    'More than {max} connections from this address are open. Close some of them, or raise `limits.connections_per_address` of http-api.',
  HTTP_OVERLOADED:
    'The collector is too busy to answer, because polling takes precedence. Try again in a moment.',
  HTTP_MEMBER_SILENT:
    'The member "{member}" of the cluster owns the device and does not answer: {reason}. Try again, or look at `waywiser ctl members`.',
  HTTP_INTERNAL: 'The collector failed to answer. Look for the requestId of this answer in its log.',
  HTTP_NOT_READY: 'The collector is not ready: {reason}.',
} as const satisfies ErrorTable;
