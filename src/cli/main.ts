#!/usr/bin/env node
import { version } from '../identifiers/version';
import { commands } from './commands';
import { runProgram } from './program';

if (process.argv[2] === '--version') process.stdout.write(`${version}\n`);
else
  void runProgram('padron', commands, process.argv.slice(2), process.env).then((code) => {
    process.exitCode = code;
  });
