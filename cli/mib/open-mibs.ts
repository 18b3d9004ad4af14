import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { env } from 'node:process';
import { MibSet } from '../../authoring/mib/index.ts';
import { cliFailure } from '../cli-errors.ts';

/** The MIB files of these paths. Throws MIB_PATH_UNREADABLE where one of them cannot be read. */
export function openMibs(paths: readonly string[]): MibSet {
  const set = new MibSet(paths);
  const unreadable = set
    .problems()
    .find(({ rule, file }) => rule === 'file-unreadable' && paths.includes(file));
  if (unreadable !== undefined) {
    const [, reason = 'unknown'] = /: ([^:]+)\.$/.exec(unreadable.message) ?? [];
    throw cliFailure('MIB_PATH_UNREADABLE', { path: unreadable.file, reason });
  }
  return set;
}

/** The directories that a person named, or those where net-snmp looks: of MIBDIRS, otherwise the usual ones that exist. */
export function findMibPaths(named: readonly string[] | undefined): readonly string[] {
  if (named !== undefined) return named;
  const defaults = env['MIBDIRS']?.replace(/^\+/, '').split(delimiter).filter(Boolean) ?? [
    join(homedir(), '.snmp/mibs'),
    '/usr/share/snmp/mibs',
    '/var/lib/mibs',
    '/usr/share/mibs',
  ];
  const existing = defaults.filter((path) => existsSync(path));
  if (existing.length > 0) return existing;
  throw cliFailure('MIB_DIRECTORY_MISSING', { defaults: defaults.join(', ') });
}
