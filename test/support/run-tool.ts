import { execFile } from 'node:child_process';

/** What a command prints, octets as latin-1; rejects when it fails, unless `mayFail`. */
export function runTool(command: string, args: readonly string[], mayFail = false): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      command,
      args,
      { encoding: 'latin1', maxBuffer: 1 << 28, env: { ...process.env, MIBS: '', LC_ALL: 'C' } },
      (error, stdout, stderr) => {
        if (error !== null && !mayFail)
          reject(new Error(`${command} ${args.join(' ')}: ${stderr || error.message}`));
        else resolve(stdout);
      },
    );
  });
}
