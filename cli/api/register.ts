import { type Command, Option } from 'commander';
import type { CredentialKind } from '../../plugins/http-api/commands.ts';

type Exit = (outcome: Promise<number>) => Promise<void>;

/** Adds the commands for credentials of the HTTP API. The code of each is loaded when it runs. */
export function registerApiCommands(program: Command, exitWith: Exit): void {
  const token = program.command('token').description('manage tokens for the HTTP API');
  addNew(token, 'create a token, print it once, and store its hash in the state directory').action(
    async (name, options) => exitWith((await import('./credentials.ts')).newToken(name, options)),
  );
  addListAndRemove(token, 'token', exitWith);

  const password = program
    .command('password')
    .description('manage names and passwords for the HTTP API (HTTP basic authentication)');
  addNew(password, 'create a password, print it once, and store its scrypt hash in the state directory')
    .option('--stdin', 'use the first line of standard input as the password instead; it is not printed')
    .action(async (name, options) => exitWith((await import('./credentials.ts')).newPassword(name, options)));
  addListAndRemove(password, 'password', exitWith);
}

function addNew(parent: Command, description: string): Command {
  return withConfig(parent.command('new'))
    .description(description)
    .argument('<name>', 'who it is for; the audit log shows this name')
    .addOption(
      new Option('--role <role>', 'what it allows; each role includes the ones before it')
        .choices(['read', 'operate', 'admin'])
        .default('read'),
    )
    .option('--days <number>', 'how many days it is valid (default: no end)');
}

function addListAndRemove(parent: Command, kind: CredentialKind, exitWith: Exit): void {
  withConfig(parent.command('list'))
    .description(`list the ${kind}s that were created here, without their secrets`)
    .action(async (options) => exitWith((await import('./credentials.ts')).listCredentials(kind, options)));
  withConfig(parent.command('remove'))
    .description(`remove a ${kind}; a running collector refuses it within a second`)
    .argument('<name>')
    .action(async (name, options) =>
      exitWith((await import('./credentials.ts')).removeCredential(kind, name, options)),
    );
}

function withConfig(command: Command): Command {
  return command.option('--config <file>', 'configuration file', 'waywiser.yml');
}
