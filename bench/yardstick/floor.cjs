// The floor: the least that any Node program can spend to walk ifTable and ifXTable of many agents.
// One shared UDP socket, hand-built GETBULKs, a decoder that touches every value and keeps nothing: no retries, no checks,
// no records. What a real engine costs above this is what its features cost.
//   node floor.js [DEVICES=3000] [IN_FLIGHT=40] [MAX_REPETITIONS=50]      against fast-agent on port 16100
const dgram = require('node:dgram');
const devices = +process.argv[2] || 3000, inFlight = +process.argv[3] || 40, repetitions = +process.argv[4] || 50;
const roots = [Buffer.from([0x2b, 6, 1, 2, 1, 2, 2]), Buffer.from([0x2b, 6, 1, 2, 1, 31, 1, 1])];
const socket = dgram.createSocket({ type: 'udp4', recvBufferSize: 8 << 20, sendBufferSize: 8 << 20 });
const walks = new Map();
let started = 0, finished = 0, varbinds = 0, packets = 0, sum = 0, requestId = 1;

function getBulk(oid, length, id) {
  const vb = length + 4, list = vb + 2, pdu = 6 + 3 + 3 + 2 + list, message = 3 + 8 + 2 + pdu;
  const b = Buffer.allocUnsafe(message + 2);
  let p = 0;
  b[p++] = 0x30; b[p++] = message; b[p++] = 2; b[p++] = 1; b[p++] = 1;
  b[p++] = 4; b[p++] = 6; p += b.write('public', p, 'latin1');
  b[p++] = 0xa5; b[p++] = pdu; b[p++] = 2; b[p++] = 4; p = b.writeUInt32BE(id, p);
  b[p++] = 2; b[p++] = 1; b[p++] = 0; b[p++] = 2; b[p++] = 1; b[p++] = repetitions;
  b[p++] = 0x30; b[p++] = list; b[p++] = 0x30; b[p++] = vb; b[p++] = 6; b[p++] = length;
  p += oid.copy(b, p, 0, length);
  b[p++] = 5; b[p++] = 0;
  return b;
}

function send(walk) {
  const id = requestId++;
  walks.set(id, walk);
  socket.send(getBulk(walk.oid, walk.length, id), +process.argv[5] || 16100, walk.ip);
}

let at = 0, length = 0;
function header(b) {
  at++;
  length = b[at++];
  if (length & 128) { let k = length & 127; length = 0; while (k--) length = length << 8 | b[at++]; }
}
function skip(b) { header(b); at += length; }

socket.on('message', (b) => {
  packets++;
  at = 0;
  header(b); skip(b); skip(b); header(b); header(b);
  const id = b.readUInt32BE(at);
  at += length;
  skip(b); skip(b); header(b);
  const end = at + length, walk = walks.get(id);
  if (walk === undefined) return;
  walks.delete(id);
  const root = roots[walk.table];
  let last = 0, lastLength = 0, over = false;
  while (at < end) {
    header(b); header(b);
    const oid = at, oidLength = length;
    at += length;
    const tag = b[at];
    header(b);
    for (let i = 0; i < root.length; i++) if (b[oid + i] !== root[i]) { over = true; break; }
    if (over || tag === 0x82) { over = true; break; }
    let value = 0;
    if (tag === 4) value = b.latin1Slice(at, at + length).length;
    else for (let i = 0; i < length; i++) value = value * 256 + b[at + i];
    sum += value; at += length; varbinds++; last = oid; lastLength = oidLength;
  }
  if (over) {
    if (++walk.table === roots.length) { if (++finished === devices) report(); else start(); return; }
    walk.oid = roots[walk.table]; walk.length = walk.oid.length;
  } else { walk.oid = b.subarray(last, last + lastLength); walk.length = lastLength; }
  send(walk);
});

const t0 = process.hrtime.bigint(), c0 = process.cpuUsage();
function start() {
  if (started >= devices) return;
  const i = started++;
  send({ ip: `127.1.${i >> 8}.${i & 255}`, table: 0, oid: roots[0], length: roots[0].length });
}
function report() {
  const seconds = Number(process.hrtime.bigint() - t0) / 1e9, c = process.cpuUsage(c0), cpu = (c.user + c.system) / 1e6;
  console.log(JSON.stringify({ what: 'floor', devices, repetitions, varbinds, packets, seconds, cpu, varbindsPerCpuSecond: Math.round(varbinds / cpu), rssMiB: process.memoryUsage().rss >> 20, sum }));
  process.exit(0);
}
setTimeout(() => { console.error('packets were lost: lower IN_FLIGHT', { finished, devices }); process.exit(1); }, 60000).unref();
socket.bind(0, () => { for (let i = 0; i < inFlight; i++) start(); });
