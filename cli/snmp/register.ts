import { Argument, type Command } from 'commander';
import { collect } from '../terminal/repeated-option.ts';
import { addTo, mibsText, RequestCommand, targetForms } from './request-command.ts';
import type { Question } from './requests.ts';

type Exit = (outcome: Promise<number>) => Promise<void>;

/** Adds the commands that send SNMP requests. The code of each is loaded when it runs. */
export function registerSnmpCommands(program: Command, exitWith: Exit): void {
  for (const [question, summary] of Object.entries(questions)) {
    addTo(program, new RequestCommand(question))
      .description(summary)
      .argument('<target>', targetForms)
      .argument(
        '<oid...>',
        'an OID, a name of the definitions that ship, such as sysName.0, or with --mibs any name of these',
      )
      .option('--mibs <directory>', mibsText, collect)
      .option('--json', 'print one JSON object per varbind')
      .option('--engine <name>', engineNames)
      .action(async (target, oids, options) =>
        exitWith((await import('./requests.ts')).ask(question as Question, target, oids, options)),
      );
  }

  addTo(program, new RequestCommand('walk'))
    .description('read everything below the OIDs; several are walked in parallel')
    .argument('<target>', targetForms)
    .addArgument(
      new Argument('[oid...]', 'an OID, or a name, such as ifTable; with --mibs any name of these').default(
        ['1.3.6.1.2.1'],
        '1.3.6.1.2.1',
      ),
    )
    .option('--mibs <directory>', mibsText, collect)
    .option('--json', 'print one JSON object per varbind')
    .option('--engine <name>', engineNames)
    .action(async (target, oids, options) =>
      exitWith((await import('./requests.ts')).walk(target, oids, options)),
    );

  addTo(program, new RequestCommand('record'))
    .description('walk a device and write a recording for the replay agent')
    .argument('<target>', targetForms)
    .argument('<file>', 'the recording: NAME.snmprec or NAME.snmprec.gz')
    .argument('[oid]', 'record only what is below this OID', '1')
    .option(
      '--redact',
      'replace serial numbers, contacts, locations and secrets; leave out SNMP users and communities',
    )
    .action(async (target, file, oid, options) =>
      exitWith((await import('./record/record.ts')).record(target, file, oid, options)),
    );

  addTo(program, new RequestCommand('compare'))
    .description("walk with Waywiser's engine and with net-snmp, and show the differences")
    .argument('<target>', targetForms)
    .argument('[oid]', 'what to walk', '1.3.6.1.2.1')
    .action(async (target, oid, options) =>
      exitWith((await import('./compare.ts')).compare(target, oid, options)),
    );
}

const engineNames = 'waywiser, or net-snmp to compare (default: waywiser)';

const questions: Readonly<Record<Question, string>> = {
  get: 'read the values of OIDs',
  next: 'read the next OIDs and their values',
  bulk: 'send one GETBULK request',
};
