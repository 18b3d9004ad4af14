// usage: net-snmp-child PORT DEVICES IN_FLIGHT: the same walk by npm's net-snmp, `subtree`, one session a device.
const snmp = require('net-snmp');
const [, , port, devices, inFlight] = process.argv.map(Number);
const roots = ['1.3.6.1.2.1.2.2', '1.3.6.1.2.1.31.1.1'];
let next = 0;
let varbinds = 0;
const walk = (session, root) =>
  new Promise((resolve) =>
    session.subtree(
      root,
      75,
      (found) => {
        varbinds += found.length;
      },
      resolve,
    ),
  );
async function visitor() {
  while (next < devices) {
    const device = next++;
    const options = { port, version: snmp.Version2c };
    const session = snmp.createSession(`127.1.${device >> 8}.${device & 255}`, 'public', options);
    for (const root of roots) await walk(session, root);
    session.close();
  }
}
(async () => {
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: inFlight }, visitor));
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ varbinds, cpuSeconds: (user + system) / 1e6 }));
})();
