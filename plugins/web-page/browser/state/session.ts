import { computed, signal } from '@preact/signals';
import { ApiProblem } from '../../../../src/client/index.ts';
import { baseUrl } from './api.ts';

/** Who looks at the page, and what they may do. */
export interface Session {
  readonly name: string;
  readonly roles: readonly string[];
  readonly canOperate: boolean;
  readonly canAdmin: boolean;
  /** The API answers only those who have signed in. */
  readonly signInRequired: boolean;
  readonly version?: string;
}

const signedOut: Session = {
  name: '',
  roles: [],
  canOperate: false,
  canAdmin: false,
  signInRequired: true,
};

/** Undefined until the collector has answered for the first time. */
export const session = signal<Session | undefined>(undefined);

/** Somebody may read; undefined until the collector has answered. */
export const isOpen = computed(
  () => session.value && (!session.value.signInRequired || session.value.roles.length > 0),
);

export async function loadSession(): Promise<void> {
  const response = await fetch(`${baseUrl}page/session`, { headers: { accept: 'application/json' } });
  if (response.ok) session.value = await response.json();
  else throw new Error(`The collector answered ${response.status} when the page asked who you are.`);
}

export function endSession(): void {
  session.value = signedOut;
}

/** Shows the sign-in form when a session has ended. */
export function noticeRefusal(error: unknown): void {
  if (error instanceof ApiProblem && error.status === 401) endSession();
}
