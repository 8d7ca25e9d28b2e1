#!/usr/bin/env node
import { runProgram } from '../program';
import { priceCommand } from './price';

void runProgram('padron-client', { price: priceCommand('padron-client') }, process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
