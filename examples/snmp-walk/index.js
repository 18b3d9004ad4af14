// @ts-check
import { argv } from 'node:process';
import { createManager, SnmpError } from 'waywiser/snmp';
import { readTable } from './read-table.js';

const [address = '127.0.0.1', community = 'public', port = '161'] = argv.slice(2);

const manager = createManager();
try {
  const target = { address, port: Number(port), timeoutMs: 1_000, retries: 1 };
  const session = manager.open({ ...target, version: '2c', community });
  const [name] = await session.get(['1.3.6.1.2.1.1.5.0']);
  console.log(`${name?.value}`);
  const interfaces = await readTable(session, {
    name: '1.3.6.1.2.1.31.1.1.1.1', // ifName
    status: '1.3.6.1.2.1.2.2.1.8', // ifOperStatus: 1 is up
    inOctets: '1.3.6.1.2.1.31.1.1.1.6', // ifHCInOctets
  });
  console.table(
    [...interfaces].map(([index, { name, status, inOctets }]) => ({
      index,
      name: String(name?.value),
      up: status?.value === 1,
      // A 64-bit counter is a bigint.
      inOctets: inOctets?.value,
    })),
  );
} catch (error) {
  // Codes are stable, sentences are not: decide by the code.
  if (!(error instanceof SnmpError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
} finally {
  manager.close();
}
