/** For plugins that connect to servers, or listen: failures in words, and the files of TLS. */

export { checkListen, nameListenFailure } from './connection-failure.ts';
export { readTlsFiles, watchTlsFiles } from './tls-files.ts';
