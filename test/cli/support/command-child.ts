import { chdir, env, stderr, stdout } from 'node:process';
import { runCommand } from '../../../cli/program.ts';
import type { CommandOrder } from './command-runner.ts';

// Runs one command after another, so that the sources are loaded once. Ends the output of each with a mark, and replies with its code.
process.on('message', async ({ words, folder, variables, mark }: CommandOrder) => {
  chdir(folder);
  const before = { ...env };
  Object.assign(env, variables);
  const code = await runCommand(words);
  for (const name of Object.keys(variables)) {
    if (before[name] === undefined) delete env[name];
    else env[name] = before[name];
  }
  stdout.write(mark);
  stderr.write(mark);
  process.send!(code);
});
