import { Argument, type Command } from 'commander';
import { collect } from '../terminal/repeated-option.ts';
import { addTo, mibsText, RequestCommand } from './request-command.ts';
import type { Question } from './requests.ts';

type Exit = (outcome: Promise<number>) => Promise<void>;

/** Adds the commands that send SNMP requests. The code of each is loaded when it runs. */
export function registerSnmpCommands(program: Command, exitWith: Exit): void {
  addRequests(program, exitWith);
  addInit(program, exitWith);
  addDefinitionCommands(program, exitWith);
}

function addRequests(program: Command, exitWith: Exit): void {
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

function addInit(program: Command, exitWith: Exit): void {
  const initCommand = new RequestCommand('init');
  const letters = initCommand.collectCandidates();
  addTo(program, initCommand)
    .helpGroup('Collector:')
    .description('find devices and write a configuration that is ready to start, or extend one')
    .argument('[target]', 'HOST, HOST:PORT, 192.0.2.0/24 or 192.0.2.10-20; without it, init asks')
    .option('--into <directory>', 'the directory to write to', '.')
    .option('--add', 'add devices, and with --plugin plugins, to the configuration in the directory')
    .option(
      '--plugin <plugin>',
      'with --add: a plugin, as a name or as a line of waywiser.yml; repeat it',
      collect,
    )
    .option('--rate <count>', 'addresses probed per second', '50')
    .action(async (target, options) =>
      exitWith((await import('../init/init.ts')).init(target, { ...options, letters })),
    );
}

/** What devices have beside what definitions collect. */
function addDefinitionCommands(program: Command, exitWith: Exit): void {
  addTo(program, new RequestCommand('coverage'))
    .helpGroup('Definitions:')
    .description('compare what devices or recordings have with what the definitions collect')
    .argument('<sources...>', `recording files, folders with them, ${targetForms}`)
    .option('-d, --directory <directory>', 'a definition directory, instead of those of the configuration')
    .option('--shipped', 'beside a directory, also use the definitions that ship')
    .option('--group <name>', 'the device group', 'auto')
    .option('--mibs <directory>', mibsText, collect)
    .option('--top <count>', 'lines per list; 0 shows all', '25')
    .option('--json', 'print JSON with all lines; several sources are always one line of JSON each')
    .action(async (sources, options) =>
      exitWith((await import('../definitions/coverage/coverage.ts')).coverage(sources, options)),
    );

  addTo(program, new RequestCommand('draft'))
    .helpGroup('Definitions:')
    .description(
      'write definitions of what a device or recording has and nothing collects, for you to finish',
    )
    .argument('<source>', `a recording file, ${targetForms}`)
    .option('--mibs <directory>', mibsText, collect)
    .requiredOption('--out <directory>', 'the definition directory to write')
    .option('--name <name>', 'the name of the groups and files (default: that of the recording or target)')
    .option('--force', 'replace files that exist')
    .option('-d, --directory <directory>', 'a definition directory, instead of those of the configuration')
    .option('--shipped', 'beside a directory, also use the definitions that ship')
    .option('--json', 'print JSON')
    .action(async (source, options) =>
      exitWith((await import('../definitions/draft/draft.ts')).draftAnswers(source, options)),
    );
}

const engineNames = 'waywiser, or net-snmp to compare (default: waywiser)';
const targetForms = 'a device of the configuration, HOST, HOST:PORT or [IPV6]:PORT';

const questions: Readonly<Record<Question, string>> = {
  get: 'read the values of OIDs',
  next: 'read the next OIDs and their values',
  bulk: 'send one GETBULK request',
};
