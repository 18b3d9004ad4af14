import { connect } from 'node:net';
import { argv } from 'node:process';

/** usage: idle-clients PORT COUNT. Opens COUNT connections, reports how many stay open, and keeps them until it is killed. */
const [port, count] = argv.slice(2).map(Number) as [number, number];
let open = 0;
let settled = 0;
const settle = () => {
  if (++settled === count) setTimeout(() => process.send!(open), 500);
};
for (let i = 0; i < count; i++) {
  const socket = connect(port, '127.0.0.1');
  socket.once('connect', () => {
    open++;
    settle();
  });
  socket
    .on('error', () => {})
    .on('close', (hadError) => {
      if (hadError) settle();
      else open--;
    });
  if (i % 200 === 199) await new Promise((resolve) => setTimeout(resolve, 5));
}
