#!/usr/bin/env node
import { argv, stderr, stdout } from 'node:process';
import { runCommand } from './program.ts';

// The reader of the output may end at any time, such as `head` or a log shipper. Without a listener each line that is written then is an
// uncaught error, which writes a line.
for (const stream of [stdout, stderr]) stream.on('error', () => {});

process.exitCode = await runCommand(argv.slice(2));
