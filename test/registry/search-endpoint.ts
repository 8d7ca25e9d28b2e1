import { z } from 'zod';
import { endpoint } from '../../src/registry/endpoint/endpoint';

/** An endpoint of no domain, whose question travels as it is: for tests of the client alone. */
export const search = endpoint({
  name: 'search',
  registry: 'education',
  method: 'POST',
  path: '/api/search',
  encoding: 'query',
  envelope: 'list',
  units: 1,
  permission: null,
  scope: 'test',
  batch: false,
  schema: z.array(z.unknown()),
  toWire: (input: Readonly<Record<string, string | number | boolean>>) => input,
  argumentPaths: {},
  matches: 'NAMES_NOBODY',
});
