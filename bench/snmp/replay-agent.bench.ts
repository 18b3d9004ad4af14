import { fork } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { argv, cpuUsage, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { CommunityCodec } from '../../src/snmp/codec/community-message.ts';
import { parseRecording, startReplayAgent } from '../../src/testing/index.ts';

/**
 * How many GETBULK requests of 25 repetitions a replay agent in a separate process answers per second of its CPU time, with 64
 * outstanding requests. Prints one JSON line.
 */
const measureMs = 3000;
const underWay = 64;
const repetitions = 25;

interface Reading {
  readonly port: number;
  readonly replies: number;
  readonly cpuMicros: number;
}

if (argv[2] === 'agent') await serve();
else await measure();

async function serve(): Promise<void> {
  const lines = Array.from(
    { length: 10_000 },
    (_, i) => `1.3.6.1.2.1.2.2.1.${1 + (i >> 9)}.${1 + (i & 511)}|65|${i}`,
  );
  const agent = await startReplayAgent({ recording: parseRecording(lines.join('\n')) });
  process.on('message', () => {
    const { user, system } = cpuUsage();
    const reading: Reading = {
      port: agent.port,
      replies: agent.counters.replies,
      cpuMicros: user + system,
    };
    process.send?.(reading);
  });
  process.on('disconnect', () => agent.close());
}

async function measure(): Promise<void> {
  const agent = fork(fileURLToPath(import.meta.url), ['agent'], { execArgv: process.execArgv });
  const read = async (): Promise<Reading> => {
    agent.send('read');
    const [reading] = (await once(agent, 'message')) as [Reading];
    return reading;
  };
  const { port } = await read();
  const stop = load(port);
  await sleep(500);
  const before = await read();
  await sleep(measureMs);
  const after = await read();
  stop();
  agent.disconnect();
  const replies = after.replies - before.replies;
  const cpuSeconds = (after.cpuMicros - before.cpuMicros) / 1e6;
  stdout.write(
    `${JSON.stringify({
      bench: 'replay-agent',
      requestsPerSecond: Math.round(replies / (measureMs / 1000)),
      requestsPerCpuSecond: Math.round(replies / cpuSeconds),
      varbindsPerCpuSecond: Math.round((replies * repetitions) / cpuSeconds),
    })}\n`,
  );
}

/** Every reply sends the next request; requests that the kernel drops are replaced every 50 ms. */
function load(port: number): () => void {
  const codec = new CommunityCodec();
  const requests = Array.from({ length: 18 }, (_, column) =>
    codec.encode({
      version: '2c',
      community: Buffer.from('public'),
      pdu: {
        type: 'GetBulkRequest',
        requestId: column + 1,
        errorStatus: 0,
        errorIndex: repetitions,
        varbinds: [{ oid: `1.3.6.1.2.1.2.2.1.${column + 1}.${column * 7}`, type: 'Null', value: null }],
      },
    }),
  );
  const socket = createSocket({
    type: 'udp4',
    recvBufferSize: 1 << 22,
    lookup: (name, _, done) => done(null, name, 4),
  });
  let sent = 0;
  const send = () => socket.send(requests[sent++ % requests.length]!, port, '127.0.0.1');
  let received = 0;
  socket.on('message', () => {
    received++;
    send();
  });
  for (let i = 0; i < underWay; i++) send();
  const refill = setInterval(() => {
    for (; sent - received < underWay; ) send();
  }, 50);
  return () => {
    clearInterval(refill);
    socket.close();
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms));
}
