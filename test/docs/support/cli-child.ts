import { chdir } from 'node:process';
import { runCommand } from '../../../src/cli/program.ts';

/** What the parent asks for: one command, in a folder. */
export interface CommandOrder {
  readonly words: readonly string[];
  readonly folder: string;
}

/** Runs one command after the other, so that the sources are loaded once; answers each with its exit code. */
process.on('message', async ({ words, folder }: CommandOrder) => {
  chdir(folder);
  process.send!(await runCommand(words));
});
