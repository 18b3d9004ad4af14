import type { ErrorTable } from '../../src/index.ts';

export const httpErrors = {
  HTTP_REQUEST_MALFORMED: 'The request cannot be read: {reason}.',
  HTTP_REQUEST_TIMEOUT: 'The request did not arrive completely in time.',
  HTTP_HEADERS_TOO_LARGE: 'The headers are larger than {maxBytes} bytes.',
  HTTP_INPUT_INVALID: 'The request is invalid: {reason}.',
  HTTP_BODY_MALFORMED: 'The body is not valid JSON.',
  HTTP_BODY_UNEXPECTED:
    'This operation takes no body, but a body was received. Use the query instead, such as ?force_rediscovery=true.',
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
  HTTP_STOPPING: 'The collector is stopping and accepts no new work.',
  HTTP_INTERNAL: 'The collector failed to answer. Look for the requestId of this answer in its log.',
  HTTP_DEFINITIONS_INVALID:
    'The definition files have errors ({count}). The current definitions stay in use.',
  HTTP_DEVICE_INVALID: 'The device has errors ({count}). Nothing was changed.',
  HTTP_DEVICE_EXISTS: 'The device {ip} port {port} exists already, as "{name}". Use PUT to replace it.',
  HTTP_DEVICE_OF_FILES:
    'The device "{name}" at {ip} port {port} is defined in {file}, line {line}, and definition files take precedence. Change it there, then apply the definitions.',
  HTTP_DEVICE_NAME_TAKEN: 'The device {ip} port {port} already has the name "{name}". Choose another name.',
  HTTP_DEVICE_ADDRESS_REFUSED: 'A client may not add a device at {ip}: {reason}.',
  HTTP_DISCOVERY_UNKNOWN: 'There is no discovery {id}. The collector keeps only the last few hundred.',
  HTTP_NOT_READY: 'The collector is not ready: {reason}.',
  HTTP_DISCOVERY_RUNNING:
    'The discovery {id} of "{device}" has not ended after {waitMs} ms. It still runs. Ask for its state later.',
} as const satisfies ErrorTable;
