import { type Command, Option } from 'commander';

type Exit = (outcome: Promise<number>) => Promise<void>;

/** Adds the commands around the HTTP API. Each one's code is loaded when it runs. */
export function registerApiCommands(program: Command, exitWith: Exit): void {
  const token = program.command('token').description('who may call the HTTP API');
  const addTo = (name: string) =>
    token.command(name).option('-c, --config <file>', 'configuration file', 'waywiser.yml');

  addTo('new')
    .description('make a token, print it once, and keep its hash in the state directory')
    .argument('<name>', 'who gets it; audit lines carry the name')
    .addOption(
      new Option('--role <role>', 'each may do what those before it may')
        .choices(['read', 'operate', 'admin'])
        .default('read'),
    )
    .option('--days <number>', 'how long it is worth something (default: for ever)')
    .action(async (name, options) => exitWith((await import('./token.ts')).newToken(name, options)));

  addTo('list')
    .description('the tokens that were made here, without what they are')
    .action(async (options) => exitWith((await import('./token.ts')).listTokens(options)));

  addTo('remove')
    .description('make a token worth nothing, within a second')
    .argument('<name>')
    .action(async (name, options) => exitWith((await import('./token.ts')).removeToken(name, options)));
}
