import type { TestContext } from 'node:test';
import { hashToken } from '../../../../plugins/http-api/security/credentials/stored-token.ts';
import poller from '../../../../plugins/snmp-poller/index.ts';
import webPage from '../../../../plugins/web-page/index.ts';
import { type ApiStackOptions, startApi } from '../../http-api/support/api-stack.ts';
import { storeCheaply } from '../../http-api/support/cheap-password.ts';
import { DefinitionFolder } from '../../support/definition-folder.ts';

export const tokens = {
  read: 'token-of-rita',
  operate: 'token-of-otto',
  admin: 'token-of-anna',
  expired: 'token-of-erik',
} as const;

export const password = 'correct horse: battery';

/** A collector with the page, and with a token for each role and a password. */
export async function startPage(t: TestContext, { api, ...options }: ApiStackOptions = {}) {
  const stored = (name: string, role: string, token: string, more = {}) => ({
    name,
    role,
    sha256: hashToken(token).toString('hex'),
    ...more,
  });
  return startApi(t, new DefinitionFolder(t), {
    ...options,
    api: {
      tokens: [
        stored('rita', 'read', tokens.read),
        stored('otto', 'operate', tokens.operate),
        stored('anna', 'admin', tokens.admin),
        stored('erik', 'admin', tokens.expired, { expires: '2020-01-01' }),
      ],
      passwords: [{ name: 'paul', role: 'operate', scrypt: storeCheaply(password) }],
      ...api,
    },
    more: [{ plugin: poller }, { plugin: webPage }, ...(options.more ?? [])],
  });
}

/** The cookie of an answer, as a browser sends it back. */
export function cookieOf(headers: Headers): string {
  return (headers.get('set-cookie') ?? '').split(';', 1).join();
}
