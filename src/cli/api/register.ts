import { type Command, Option } from 'commander';
import type { CredentialKind } from '../../../plugins/http-api/security/credentials/credential-file.ts';

type Exit = (outcome: Promise<number>) => Promise<void>;

/** Adds the commands around the HTTP API. Each one's code is loaded when it runs. */
export function registerApiCommands(program: Command, exitWith: Exit): void {
  const token = program.command('token').description('who may call the HTTP API');
  addNew(token, 'make a token, print it once, and keep its hash in the state directory').action(
    async (name, options) => exitWith((await import('./token.ts')).newToken(name, options)),
  );
  addListAndRemove(token, 'token', exitWith);

  const password = program
    .command('password')
    .description('who may call the HTTP API by name and password (HTTP basic authentication)');
  addNew(password, 'make a password, print it once, and keep its scrypt hash in the state directory')
    .option('--stdin', "take one of your own, the first line of standard input; it isn't printed")
    .action(async (name, options) => exitWith((await import('./password.ts')).newPassword(name, options)));
  addListAndRemove(password, 'password', exitWith);
}

function addNew(parent: Command, description: string): Command {
  return withConfig(parent.command('new'))
    .description(description)
    .argument('<name>', 'who gets it; audit lines carry the name')
    .addOption(
      new Option('--role <role>', 'each may do what those before it may')
        .choices(['read', 'operate', 'admin'])
        .default('read'),
    )
    .option('--days <number>', 'how long it is worth something (default: for ever)');
}

function addListAndRemove(parent: Command, kind: CredentialKind, exitWith: Exit): void {
  withConfig(parent.command('list'))
    .description(`the ${kind}s that were made here, without what they are`)
    .action(async (options) =>
      exitWith((await import('./stored-credentials.ts')).listCredentials(kind, options)),
    );
  withConfig(parent.command('remove'))
    .description(`make a ${kind} worth nothing, within a second`)
    .argument('<name>')
    .action(async (name, options) =>
      exitWith((await import('./stored-credentials.ts')).removeCredential(kind, name, options)),
    );
}

function withConfig(command: Command): Command {
  return command.option('-c, --config <file>', 'configuration file', 'waywiser.yml');
}
