import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { argv } from 'node:process';
import { parseNetwork } from '../../src/model/address-range.ts';
import { NotificationListeners, NotificationReceiver } from '../../src/snmp/index.ts';
import { v2c } from '../../test/snmp/notifications/support/notification-lab.ts';

/** usage: notification-flood-child send PORT PER_SECOND SECONDS SOURCES | bare | receiver. Reports to its parent. */
const [role, ...words] = argv.slice(2);
const tickMs = 5;
const receiveBufferBytes = 4 << 20;

if (role === 'send') {
  const [port = 0, perSecond = 0, seconds = 0, sources = 1] = words.map(Number);
  const sockets = await Promise.all(
    Array.from({ length: sources }, async (_, i) => {
      const socket = createSocket('udp4').bind(0, `127.0.${1 + (i >> 8)}.${i & 255}`);
      await once(socket, 'listening');
      socket.connect(port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    }),
  );
  let sent = 0;
  const startedMs = performance.now();
  const timer = setInterval(() => {
    const elapsedMs = Math.min(performance.now() - startedMs, seconds * 1000);
    for (const due = Math.floor((elapsedMs * perSecond) / 1000); sent < due; sent++)
      sockets[sent % sources]!.send(v2c('TrapV2', sent + 1));
    if (elapsedMs < seconds * 1000) return;
    clearInterval(timer);
    // What the sockets hold leaves before they close.
    setTimeout(() => {
      process.send!({ sent });
      process.disconnect();
      for (const socket of sockets) socket.close();
    }, 200);
  }, tickMs);
} else {
  let kept = 0;
  const receiver = new NotificationReceiver({
    rights: {
      senders: [
        { name: 'bench', from: [parseNetwork('127.0.0.0/8')!], versions: ['2c'], communities: ['public'] },
      ],
    },
    limits: { sourcePerSecond: 1e9, sourceBurst: 1e9 },
    onNotification() {
      kept++;
      return 'accepted';
    },
    send() {},
  });
  const listeners = await NotificationListeners.open({
    listen: [{ address: '127.0.0.1', port: 0 }],
    receiveBufferBytes,
    onDatagram(datagram, address, port) {
      if (role === 'bare') kept++;
      else receiver.receive(datagram, address, port);
    },
  });
  const before = process.cpuUsage();
  process.on('message', async () => {
    const { user, system } = process.cpuUsage(before);
    const [{ kernelDrops, receiveBufferBytes: granted } = {}] = await listeners.statistics();
    process.send!({ kept, cpuUs: user + system, kernelDrops, receiveBufferBytes: granted });
    listeners.close();
    process.disconnect();
  });
  process.send!({ port: listeners.addresses[0]!.port });
}
