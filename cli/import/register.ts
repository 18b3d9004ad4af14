import type { Command } from 'commander';
import { collect } from '../terminal/repeated-option.ts';

type Exit = (outcome: Promise<number>) => Promise<void>;

/** Adds `waywiser import FORMAT`. The code is loaded when it runs. */
export function registerImportCommands(program: Command, exitWith: Exit): void {
  const group = program
    .command('import')
    .description('turn the configuration of another collector into definition files');
  for (const [format, [what, path]] of Object.entries(formats)) {
    const command = group
      .command(format)
      .description(what)
      .argument('<path>', path)
      .requiredOption('--out <directory>', 'the definition directory to write')
      .option('--force', 'replace files that exist')
      .option('--json', 'print JSON')
      .action(async (source, options) =>
        exitWith((await import('./import-configuration.ts')).importConfiguration(format, source, options)),
      );
    // snmp.yml has the types and the indexes already.
    if (format !== 'snmp-exporter') {
      command.option('--mibs <directory>', 'MIB files, for names, types and indexes; repeat it', collect);
    }
  }
}

const formats: Readonly<Record<string, readonly [what: string, path: string]>> = {
  'snmp-exporter': [
    "the modules and auths of Prometheus' snmp_exporter",
    'snmp.yml, or a directory of such files',
  ],
  datadog: ['the SNMP profiles of Datadog', 'a profile, or a directory of profiles'],
  kentik: ['the SNMP profiles of Kentik', 'a profile, or a directory of profiles'],
  telegraf: ['the inputs.snmp of Telegraf', 'telegraf.conf, or a directory of such files'],
};
