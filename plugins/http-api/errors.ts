import type { ErrorTable } from '../../src/index.ts';

export const httpErrors = {
  HTTP_REQUEST_MALFORMED: 'The request cannot be read: {reason}.',
  HTTP_REQUEST_TIMEOUT: 'The request did not arrive whole in time.',
  HTTP_HEADERS_TOO_LARGE: 'The headers hold more than {maxBytes} bytes.',
  HTTP_INPUT_INVALID: 'The request is not as it must be: {reason}.',
  HTTP_BODY_MALFORMED: 'The body is not JSON.',
  HTTP_BODY_UNEXPECTED:
    'This operation takes no body, and one was received. Its only input is the query, as in ?force_rediscovery=true.',
  HTTP_BODY_TOO_LARGE: 'The body holds more than {maxBytes} bytes.',
  HTTP_CONTENT_TYPE: 'The body must be application/json; the content type received is {received}.',
  HTTP_CONTENT_ENCODING: 'The body must not be compressed; the content encoding received is {received}.',
  HTTP_NOT_FOUND:
    'There is nothing at {path}. GET /openapi.json lists what there is; /docs shows it in a browser.',
  HTTP_METHOD_NOT_ALLOWED: '{path} answers {allowed}, not {method}.',
  HTTP_HOST_UNKNOWN:
    'The request is for the host {received}, which is none of this collector. Call it by an address it listens on, or add the name to `hosts` of http-api.',
  HTTP_ORIGIN_REFUSED:
    'The request comes from a page of {received}, which must not change anything here. Use a client of your own.',
  HTTP_TOKEN_MISSING:
    'This needs a token or a password: send the header "Authorization: Bearer …" or "Authorization: Basic …".',
  HTTP_TOKEN_UNKNOWN: 'The token is not known, or it has expired. `waywiser token new` makes one.',
  HTTP_PASSWORD_WRONG: 'The name or the password is wrong, or they have expired.',
  HTTP_PASSWORD_ATTEMPTS: 'Too many wrong passwords came from this address. Try again in a minute.',
  HTTP_ROLE_TOO_LOW: 'This needs the role {needed}; yours is {given}.',
  HTTP_RATE_LIMITED: 'More than {max} requests in a second came from this address. Try again in a moment.',
  HTTP_OVERLOADED: 'The collector is too busy to answer now. Polling comes first; try again in a moment.',
  HTTP_STOPPING: 'The collector is stopping and takes nothing new.',
  HTTP_INTERNAL: 'The collector failed to answer. Its log says why.',
  HTTP_DEFINITIONS_INVALID: 'The definitions have errors ({count}). The running ones go on.',
  HTTP_DEVICE_INVALID: 'The device has errors ({count}). Nothing was changed.',
  HTTP_DEVICE_EXISTS: 'The device {ip} port {port} is there already, as "{name}". PUT replaces a device.',
  HTTP_DEVICE_OF_FILES:
    'The device "{name}" at {ip} port {port} is written in {file}, line {line}, and a file wins. Change it there, then apply the definitions.',
  HTTP_DEVICE_NAME_TAKEN: 'The device {ip} port {port} has the name "{name}" already. Choose another one.',
  HTTP_DEVICE_ADDRESS_REFUSED: 'A device of the API may not be at {ip}: {reason}.',
  HTTP_DISCOVERY_UNKNOWN: 'There is no discovery {id}. The last few hundred are kept.',
  HTTP_NOT_READY: 'The collector is not ready: {reason}.',
  HTTP_DISCOVERY_RUNNING:
    'The discovery {id} of "{device}" is not over after {waitMs} ms. It goes on; ask for it again later.',
} as const satisfies ErrorTable;
