import { join } from 'node:path';
import { argv } from 'node:process';
import { SavedState } from '../../../plugins/snmp-client/saved-state.ts';
import { SharedClient } from '../../../plugins/snmp-client/shared-client.ts';
import { createManager } from '../../../src/snmp/index.ts';
import { Journal } from '../../../src/storage/index.ts';

/** usage: client-child FOLDER PORT USER. Sends one request, saves what it has learned, and runs until it is killed. */
const [, , folder = '', port = '', user = ''] = argv;
const { journal, content } = Journal.open(join(folder, 'learned.journal'), {
  groupMs: 10,
  onError: (error) => {
    throw error;
  },
});
const client = new SharedClient(createManager(), new SavedState(journal, content.values), 'waywiser');
const session = await client.open({
  address: '127.0.0.1',
  port: Number(port),
  version: '3',
  user: JSON.parse(user),
});
await session.get(['1.3.6.1.2.1.1.5.0']);
process.send?.('asked');
setInterval(() => client.saveNext(1), 20);
