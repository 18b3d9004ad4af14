import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { env } from 'node:process';

/**
 * What a test needs beyond Node. `it('…', { skip: missingTool('snmpd') }, …)` skips with the reason on a user's machine;
 * with CI=true nothing is skipped, so that the test fails by name.
 */
export function missingTool(command: string): string | false {
  const found = onPath(command);
  if (found || env['CI'] === 'true') return false;
  const install = fromNpm[command] ?? `apt-get install ${packageOf[command] ?? command}`;
  return `${command} is not installed: ${install}`;
}

/** As `missingTool`, for a folder of the shared material such as `recordings`. */
export function missingShared(folder: string): string | false {
  if (existsSync(sharedPath(folder)) || env['CI'] === 'true') return false;
  return `../shared/${folder} is not beside this checkout`;
}

export function sharedPath(folder: string): string {
  return resolve('..', 'shared', folder);
}

const fromNpm: Readonly<Record<string, string>> = {
  yarn: 'npm install --global yarn@1',
  pnpm: 'npm install --global pnpm',
};

/** Debian's package of a command, where the two differ. */
const packageOf: Readonly<Record<string, string>> = {
  snmpget: 'snmp',
  snmpbulkwalk: 'snmp',
  snmptrap: 'snmp',
  snmpinform: 'snmp',
  snmpbulkget: 'snmp',
  snmpwalk: 'snmp',
  snmpsimd: 'snmpsim',
  go: 'golang-go',
  cc: 'gcc',
  promtool: 'prometheus',
  setpriv: 'util-linux',
  unshare: 'util-linux',
  prlimit: 'util-linux',
  pg_ctlcluster: 'postgresql',
  influxd: 'influxdb',
  etcd: 'etcd-server',
  'systemd-analyze': 'systemd',
  'systemd-socket-activate': 'systemd',
};

/** Looked up here, because a test that asks must not count as one that starts programs. */
function onPath(command: string): boolean {
  return (env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
