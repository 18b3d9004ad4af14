import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { RequestOptions } from '../snmp/options/request-options.ts';

/** Asks one question. A hidden answer does not appear on the terminal. */
export type Ask = (question: string, hidden?: boolean) => Promise<string>;

/** Asks for what the command line would otherwise give: the target and its credentials. */
export async function askForTarget(
  ask: Ask,
): Promise<{ readonly target: string; readonly options: RequestOptions }> {
  const target = await ask('Address, host name or range (such as 192.0.2.0/24): ');
  const version = (await ask('SNMP version (1, 2c or 3) [2c]: ')) || '2c';
  if (version !== '3') {
    const community = (await ask('Community [public]: ', true)) || 'public';
    return { target, options: { v: version, c: community } };
  }
  const user = await ask('User name: ');
  const auth = await ask('Authentication passphrase (empty for none): ', true);
  if (auth === '') return { target, options: { v: version, u: user } };
  const authProtocol = (await ask('Authentication protocol [SHA-256]: ')) || 'SHA-256';
  const options = { v: version, u: user, a: authProtocol, A: auth };
  const priv = await ask('Privacy passphrase (empty for none): ', true);
  if (priv === '') return { target, options };
  const privProtocol = (await ask('Privacy protocol [AES]: ')) || 'AES';
  return { target, options: { ...options, x: privProtocol, X: priv } };
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
      output.write(question);
      isHidden = hidden;
      const answer = await lines.question('');
      isHidden = false;
      if (hidden) output.write('\n');
      return answer.trim();
    });
  } finally {
    lines.close();
  }
}
