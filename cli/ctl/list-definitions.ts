import type { ApiClient, GroupSummary, ObjectSummary } from '../../src/client/index.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { formatTable } from '../terminal/table.ts';
import { countShown, readPages } from './pages.ts';

type ListedKind = 'objects' | 'object-groups' | 'device-groups';

interface ListOptions {
  readonly text?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

/** `waywiser ctl definitions [KIND]`: prints a table of the definitions that a running collector uses. */
export async function listDefinitions(
  client: ApiClient,
  kind: ListedKind,
  { limit = '1000', json, ...filter }: ListOptions,
): Promise<number> {
  const header =
    kind === 'objects' ? ['object', 'record', 'attributes', 'file'] : ['group', 'objects', 'file'];
  const { items, total } = await readPages<ObjectSummary | GroupSummary>(limit, async (page) => {
    const query = { ...filter, ...page };
    if (kind === 'objects') {
      const { body } = await client.call('listObjects', { query });
      return { ...body, items: body.objects };
    }
    const operation = kind === 'object-groups' ? 'listObjectGroups' : 'listDeviceGroups';
    const { body } = await client.call(operation, { query });
    return { ...body, items: body.groups };
  });
  if (json) console.log(JSON.stringify(items, undefined, 2));
  else {
    console.log(formatTable(header, items.map(toRow)));
    console.log(countShown(items.length, total, kind.replace('-', ' ')));
  }
  return exitCodes.done;
}

function toRow(definition: ObjectSummary | GroupSummary): string[] {
  const { id, file, line } = definition;
  const counts =
    'record' in definition
      ? [definition.record, String(definition.attributes)]
      : [String(definition.objects)];
  return [id, ...counts, `${file}:${line}`];
}
