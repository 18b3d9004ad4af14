// @ts-check
import { argv } from 'node:process';
import { MibSet } from 'waywiser/mib';

const [directory = 'mibs', asked = '1.3.6.1.4.1.63000.1.1.2.7'] = argv.slice(2);

const mibs = new MibSet([directory]);
const isOid = /^[0-9.]+$/.test(asked);
const [named] = isOid ? [] : mibs.findByName(asked);
const found = isOid ? mibs.findByOid(asked) : named && { node: named, suffix: '' };

if (found === undefined) {
  console.error(`${asked} is not in the MIBs of ${directory}.`);
  process.exitCode = 1;
} else {
  const { node, suffix } = found;
  console.log(`${node.module}::${node.name}${suffix === '' ? '' : `.${suffix}`}`);
  const states = Object.entries(node.enums ?? {}).map(([name, value]) => `${value} ${name}`);
  console.log([node.type, ...states].join(', '));
  console.log(node.description);
}
for (const { level, message, file, line } of mibs.problems())
  console.error(`${file}:${line} ${level}: ${message}`);
