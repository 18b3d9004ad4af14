import type { ApiClient } from '../../src/client/index.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { counted, plainText } from '../terminal/plain-text.ts';
import { formatTable } from '../terminal/table.ts';
import { warnSilent } from './silent-members.ts';

/** With the number of devices, unless the reason applies to all. */
function describeReason(
  { reason, devices }: { readonly reason: string; readonly devices: number },
  all: number,
): string {
  const words = reason.replaceAll('_', ' ');
  return devices === all ? words : `${words} (${devices})`;
}

/** `waywiser ctl uncollected`: what devices answer and nothing collects, most frequent first. */
export async function listUncollected(
  client: ApiClient,
  { json }: { readonly json?: boolean },
): Promise<number> {
  const { body } = await client.call('listUncollected', {});
  warnSilent(body);
  if (json) console.log(JSON.stringify(body, undefined, 2));
  else {
    const rows = body.roots.map(({ root, devices, why, examples }) => [
      String(devices),
      root,
      why.map((each) => describeReason(each, devices)).join(', '),
      examples.map(({ name }) => plainText(name)).join(', '),
    ]);
    console.log(formatTable(['devices', 'root', 'why', 'such as'], rows));
    console.log(
      `${counted(rows.length, 'root')} of ${counted(body.devices, 'device')} with \`objects: auto\`.`,
    );
    if (rows.length > 0)
      console.log(
        '`waywiser draft DEVICE --mibs DIRECTORY` writes a definition. docs/definitions.md says how to send what you found to the project.',
      );
  }
  return exitCodes.done;
}
