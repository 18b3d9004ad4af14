import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { signIn } from '../state/sign-in.ts';

/** Asks for a token, or for a name and a password. They go to the collector and are kept nowhere. */
export function SignInView() {
  const way = useSignal<'token' | 'password'>('token');
  const problem = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), [way.value]);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const field = (name: string) => String(form.get(name) ?? '').trim();
    isBusy.value = true;
    problem.value = await signIn(
      way.value === 'token'
        ? { token: field('token') }
        : { user: field('user'), password: String(form.get('password') ?? '') },
    );
    isBusy.value = false;
  };
  return (
    <main class="sign-in">
      <form onSubmit={submit}>
        <h1>
          <span class="mark" aria-hidden="true" /> Waywiser
        </h1>
        <fieldset class="segments" aria-label="How to sign in">
          {(['token', 'password'] as const).map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={way.value === each}
              class={way.value === each ? 'chosen' : undefined}
              onClick={() => {
                way.value = each;
              }}
            >
              {each === 'token' ? 'Token' : 'Name and password'}
            </button>
          ))}
        </fieldset>
        {way.value === 'token' ? (
          <label>
            Token
            <input ref={first} name="token" type="password" autocomplete="off" required />
          </label>
        ) : (
          <>
            <label>
              Name
              <input ref={first} name="user" autocomplete="username" required />
            </label>
            <label>
              Password
              <input name="password" type="password" autocomplete="current-password" required />
            </label>
          </>
        )}
        {problem.value !== undefined && (
          <p class="trouble" role="alert">
            {problem.value}
          </p>
        )}
        <button type="submit" class="primary" disabled={isBusy.value}>
          Sign in
        </button>
        <p class="quiet">
          <code>waywiser token new NAME</code> makes a token; <code>waywiser password new NAME</code> a
          password.
        </p>
      </form>
    </main>
  );
}
