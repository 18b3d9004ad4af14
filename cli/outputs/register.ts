import type { Command } from 'commander';

type Exit = (outcome: Promise<number>) => Promise<void>;

/** Adds the commands for outputs. The code of each is loaded when it runs. */
export function registerOutputCommands(program: Command, exitWith: Exit): void {
  const output = program.command('output').description('test an output, or read what it stored');

  output
    .command('test')
    .description('send a sample through one output of the configuration')
    .argument('<name>', 'the name in the configuration, such as http or kafka/operations')
    .option('--config <file>', 'configuration file', 'waywiser.yml')
    .action(async (name, options) => exitWith((await import('./output-test.ts')).testOutput(name, options)));

  output
    .command('read')
    .description('print stored batches as JSON, one line per row')
    .argument('<path...>', 'a disk queue, a directory of batch-files, a .segment file or a dead-letter file')
    .option('--gaps', 'also print the missing fields of each row, by reason')
    .action(async (paths, options) =>
      exitWith((await import('./output-read.ts')).readOutput(paths, options)),
    );
}
