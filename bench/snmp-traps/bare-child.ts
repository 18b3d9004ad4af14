import { createSocket } from 'node:dgram';
import { argv, cpuUsage } from 'node:process';

/** usage: bare-child RECEIVE_BUFFER_BYTES. Counts datagrams. `begin`, `count` and `end` are messages. */
const socket = createSocket({ type: 'udp4', recvBufferSize: Number(argv[2]) });
let count = 0;
let cpu = cpuUsage();
socket.on('message', () => void count++);
socket.bind(0, '127.0.0.1', () => process.send!({ port: socket.address().port }));
process.on('message', (message) => {
  if (message === 'begin') {
    count = 0;
    cpu = cpuUsage();
    process.send!('begun');
  } else if (message === 'count') {
    process.send!(count);
  } else {
    const { user, system } = cpuUsage(cpu);
    process.send!({ cpuUs: user + system });
  }
});
