import { cpuUsage, memoryUsage, stdout } from 'node:process';
import { importBuilt } from '../support/built-code.ts';

/** In a process of its own: what reading MIBs costs, and how much is found. */
const { MibSet } = await importBuilt<typeof import('../../authoring/mib/index.ts')>('authoring/mib/index.ts');
const [folder, module] = process.argv.slice(2);
const begun = cpuUsage();
const set = new MibSet([folder!]);
const counts = module === undefined ? set.counts() : { nodes: set.module(module)!.nodes.length };
const { user, system } = cpuUsage(begun);
stdout.write(JSON.stringify({ ...counts, cpuMs: (user + system) / 1_000, rssBytes: memoryUsage().rss }));
