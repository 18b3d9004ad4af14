#!/usr/bin/env node
import { argv } from 'node:process';
import { runCommand } from './program.ts';

process.exitCode = await runCommand(argv.slice(2));
