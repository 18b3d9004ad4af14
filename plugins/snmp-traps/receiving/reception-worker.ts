import { parentPort, workerData } from 'node:worker_threads';
import { Reception, type ReceptionSettings } from './reception.ts';
import type { FromReception, ToReception } from './reception-thread.ts';

/** The code of the thread: receives, checks, and passes on what is allowed. */
const send = (message: FromReception) => parentPort?.postMessage(message);

try {
  const reception = await Reception.open(workerData as ReceptionSettings);
  parentPort?.on('message', async (message: ToReception) => {
    switch (message.type) {
      case 'begin':
        return reception.begin((wire) => send({ type: 'group', wire }));
      case 'rights':
        return reception.setRights(message.rights);
      case 'users':
        return reception.setUsers(message.users);
      case 'engines':
        return reception.updateEngines(message.states);
      case 'settle':
        return reception.settle(message.verdicts);
      case 'report':
        return send({ type: 'report', report: await reception.report() });
      case 'close':
        reception.close();
    }
  });
  send({ type: 'opened', addresses: reception.addresses });
} catch (error) {
  const { message, code, address, port } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  send({ type: 'refused', error: { message, code, address, port } });
}
