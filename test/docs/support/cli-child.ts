import { chdir } from 'node:process';
import { runCommand } from '../../../cli/program.ts';

/** A command that the parent process sends, with its folder. */
export interface CommandOrder {
  readonly words: readonly string[];
  readonly folder: string;
}

/** Runs one command after another, so that the sources are loaded once. Replies to each with its exit code. */
process.on('message', async ({ words, folder }: CommandOrder) => {
  chdir(folder);
  process.send!(await runCommand(words));
});
