import { Command } from 'commander';
import { authProtocols, listTitles, privProtocols } from '../../model/v3-protocols.ts';
import { joinRepetitions } from './options/request-options.ts';
import type { Question } from './requests.ts';

type Exit = (outcome: Promise<number>) => Promise<void>;

/** Adds the commands that ask devices. Each one's code is loaded when it runs. */
export function registerSnmpCommands(program: Command, exitWith: Exit): void {
  for (const [question, summary] of Object.entries(questions)) {
    addTo(program, new RequestCommand(question))
      .description(summary)
      .argument('<target>', targetForms)
      .argument('<oid...>', 'in numbers: 1.3.6.1.2.1.1.1.0')
      .option('--json', 'one object a varbind')
      .option('--engine <name>', engineNames)
      .action(async (target, oids, options) =>
        exitWith((await import('./requests.ts')).ask(question as Question, target, oids, options)),
      );
  }

  addTo(program, new RequestCommand('walk'))
    .description('everything below the OIDs, several side by side')
    .argument('<target>', targetForms)
    .argument('[oid...]', 'in numbers', ['1.3.6.1.2.1'])
    .option('--json', 'one object a varbind')
    .option('--engine <name>', engineNames)
    .action(async (target, oids, options) =>
      exitWith((await import('./requests.ts')).walk(target, oids, options)),
    );

  addTo(program, new RequestCommand('record'))
    .description('walk a device into a recording, for the replay agent and for tests')
    .argument('<target>', targetForms)
    .argument('<file>', 'ends in .snmprec or .snmprec.gz')
    .argument('[oid]', 'only what is below', '1')
    .option('--redact', 'replace serial numbers, contacts, locations and secrets; leave out who may ask')
    .action(async (target, file, oid, options) =>
      exitWith((await import('./record/record.ts')).record(target, file, oid, options)),
    );

  addTo(program, new RequestCommand('init'))
    .description('look for devices and write a configuration that starts')
    .argument('[target]', 'HOST, HOST:PORT, 192.0.2.0/24 or 192.0.2.10-20; asked for when it is missing')
    .option('--into <directory>', 'where to write', '.')
    .option('--rate <count>', 'addresses asked a second', '50')
    .action(async (target, options) => exitWith((await import('../init/init.ts')).init(target, options)));

  addTo(program, new RequestCommand('coverage'))
    .description('what a device or a recording answers that no definition collects, and the other way round')
    .argument('<source>', `a file with a recording, or ${targetForms}`)
    .option('--directory <directory>', 'the definitions (default: those that ship)')
    .option('--group <name>', 'the device group (default: by sysObjectID)')
    .option('--top <count>', 'lines of each list, 0 for all', '25')
    .option('--json', 'for programs, all lines')
    .action(async (source, options) =>
      exitWith((await import('../definitions/coverage/coverage.ts')).coverage(source, options)),
    );

  addTo(program, new RequestCommand('compare'))
    .description('walk with our engine and with net-snmp, and show where they differ')
    .argument('<target>', targetForms)
    .argument('[oid]', 'what to walk', '1.3.6.1.2.1')
    .action(async (target, oid, options) =>
      exitWith((await import('./compare.ts')).compare(target, oid, options)),
    );
}

const engineNames = 'waywiser, or net-snmp for a second opinion (default: waywiser)';
const targetForms = 'HOST, HOST:PORT or [IPV6]:PORT';

const questions: Readonly<Record<Question, string>> = {
  get: 'the values of objects',
  next: 'the objects that follow, with their values',
  bulk: 'one GETBULK as it is',
};

/** A command with net-snmp's option letters. */
class RequestCommand extends Command {
  constructor(name: string) {
    super(name);
    this.option('-v <version>', '1, 2c or 3 (default: 3 with options of SNMPv3, else 2c)')
      .option('-c <community>', 'community; ${env:NAME} reads a variable (default: public)')
      .option('-u <user>', 'user name of SNMPv3')
      .option('-l <level>', 'noAuthNoPriv, authNoPriv or authPriv (default: by the passphrases)')
      .option('-a <protocol>', `${listTitles(authProtocols)} (default: MD5)`)
      .option('-A <passphrase>', 'for authentication; ${env:NAME} reads a variable')
      .option('-x <protocol>', `${listTitles(privProtocols)} (default: DES)`)
      .option('-X <passphrase>', 'for privacy; ${env:NAME} reads a variable')
      .option('-n <context>', 'context name')
      .option('-t <seconds>', 'how long one attempt waits (default: 1)')
      .option('-r <retries>', 'attempts after the first (default: 5)')
      .option('-C <word>', 'rN: N repetitions, nN: N non-repeaters', (word, words: string[] = []) => [
        ...words,
        word,
      ]);
  }

  override parseOptions(args: string[]): ReturnType<Command['parseOptions']> {
    return super.parseOptions(joinRepetitions(args));
  }
}

function addTo(program: Command, command: RequestCommand): RequestCommand {
  command.copyInheritedSettings(program).configureOutput({
    outputError: (text, write) => write(withoutValues(text)),
  });
  program.addCommand(command);
  return command;
}

/** An unknown option is named without what is glued to it: `-Psecret` could be a slip of `-Asecret`. */
function withoutValues(text: string): string {
  return text.replace(/(unknown option '(?:--[\w-]*|-.)).*'/s, "$1'");
}
