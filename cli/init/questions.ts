import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { cliFailure } from '../cli-errors.ts';
import type { RequestOptions } from '../snmp/options/request-options.ts';

/** Asks one question. A hidden answer does not appear on the terminal. */
export type Ask = (question: string, hidden?: boolean) => Promise<string>;

/** Asks for what the command line would otherwise give: the target and the credentials to try, in their order. */
export async function askForTarget(
  ask: Ask,
  {
    hasCredentials,
  }: { /** Whether there are some to use when none are typed. */ readonly hasCredentials: boolean },
): Promise<{ readonly target: string; readonly credentials: readonly RequestOptions[] }> {
  const target = await ask('Address, host name or range (such as 192.0.2.0/24): ');
  const preset = hasCredentials ? 'those of the configuration' : '2c';
  const first = await askForVersion(ask, `SNMP version (1, 2c or 3) [${preset}]: `);
  const credentials: RequestOptions[] = [];
  let version = first === '' && !hasCredentials ? '2c' : first;
  while (version !== '') {
    credentials.push(version === '3' ? await askForUser(ask) : await askForCommunity(ask, version));
    version = await askForVersion(ask, 'Other credentials to try: SNMP version (1, 2c or 3) [no others]: ');
  }
  return { target, credentials };
}

/** Asks again after any other answer, so that what was typed before is not lost. Empty for the preset. */
async function askForVersion(ask: Ask, question: string): Promise<string> {
  for (;;) {
    const answer = await ask(question);
    if (['', '1', '2c', '3'].includes(answer)) return answer;
  }
}

async function askForCommunity(ask: Ask, version: string): Promise<RequestOptions> {
  return { v: version, c: (await ask('Community [public]: ', true)) || 'public' };
}

async function askForUser(ask: Ask): Promise<RequestOptions> {
  const user = { v: '3', u: await ask('User name: ') };
  const auth = await ask('Authentication passphrase (empty for none): ', true);
  if (auth === '') return user;
  const authProtocol = (await ask('Authentication protocol [SHA-256]: ')) || 'SHA-256';
  const withAuth = { ...user, a: authProtocol, A: auth };
  const priv = await ask('Privacy passphrase (empty for none): ', true);
  if (priv === '') return withAuth;
  const privProtocol = (await ask('Privacy protocol [AES]: ')) || 'AES';
  return { ...withAuth, x: privProtocol, X: priv };
}

/** Runs `use` with a function that asks on these streams. */
export async function withQuestions<T>(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  use: (ask: Ask) => Promise<T>,
): Promise<T> {
  let isHidden = false;
  const echo = new Writable({
    write(chunk, _, done) {
      if (!isHidden) output.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input, output: echo, terminal: 'isTTY' in input && input.isTTY === true });
  try {
    return await use(async (question, hidden = false) => {
      // What asks a terminal erases its line first, so a hidden question is written before it, and a visible one by it.
      if (hidden) output.write(question);
      isHidden = hidden;
      const answer = await lines.question(hidden ? '' : question);
      isHidden = false;
      if (hidden) output.write('\n');
      return answer.trim();
    });
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    const signal = error.message.includes('Ctrl+D') ? 'Ctrl-D' : 'Ctrl-C';
    throw cliFailure('COMMAND_INTERRUPTED', { signal });
  } finally {
    lines.close();
  }
}
