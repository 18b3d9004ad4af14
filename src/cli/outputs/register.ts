import type { Command } from 'commander';

type Exit = (outcome: Promise<number>) => Promise<void>;

/** Adds the commands around outputs. Each one's code is loaded when it runs. */
export function registerOutputCommands(program: Command, exitWith: Exit): void {
  const output = program.command('output').description('look at one output');

  output
    .command('test')
    .description('send a sample through one output of the configuration, and say what happened')
    .argument('<name>', 'as in the configuration: http, kafka/operations, …')
    .option('-c, --config <file>', 'configuration file', 'waywiser.yml')
    .action(async (name, options) => exitWith((await import('./output-test.ts')).testOutput(name, options)));

  output
    .command('read')
    .description('print stored batches, a JSON document a row: files, disk queues and dead letters')
    .argument('<path...>', 'a directory of segments, a .segment file, or a file of dead letters')
    .option('--gaps', 'list the missing fields of a row by reason')
    .action(async (paths, options) =>
      exitWith((await import('./output-read.ts')).readOutput(paths, options)),
    );
}
