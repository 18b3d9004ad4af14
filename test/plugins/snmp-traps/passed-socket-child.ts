import { findPassedSockets } from '../../../plugins/snmp-traps/receiving/passed-sockets.ts';
import { NotificationListeners } from '../../../src/snmp/index.ts';

/** Receives on the socket that it was started with, and prints what comes. */
const listen = findPassedSockets('snmp-traps', process);
if (typeof listen === 'string') throw new Error(listen);
const listeners = await NotificationListeners.open({
  listen,
  receiveBufferBytes: 1 << 20,
  onDatagram(datagram, address) {
    const [own] = listeners.addresses;
    console.log(`${datagram} from ${address} on ${own!.address} port ${own!.port}`);
  },
});
console.log('ready');
