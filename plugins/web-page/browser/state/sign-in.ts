import { baseUrl } from './api.ts';
import { endSession, loadSession } from './session.ts';

/** Signs in. Resolves with a sentence when that failed. */
export async function signIn(
  credentials: { readonly token: string } | { readonly user: string; readonly password: string },
): Promise<string | undefined> {
  const response = await fetch(`${baseUrl}page/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(credentials),
  }).catch(() => undefined);
  if (response === undefined) return 'The collector cannot be reached.';
  if (!response.ok) {
    const problem = await response.json().catch(() => undefined);
    return typeof problem?.detail === 'string'
      ? problem.detail
      : `The collector answered ${response.status}.`;
  }
  await loadSession();
  return undefined;
}

export async function signOut(): Promise<void> {
  await fetch(`${baseUrl}page/sign-out`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  endSession();
}
