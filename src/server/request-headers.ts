import type { IncomingHttpHeaders } from 'node:http';
import { GraphQLError } from 'graphql';
import type { Config } from '../config';

/** Whether invented data is asked for, by the operator or by the caller. */
export function isSandbox(headers: IncomingHttpHeaders, { registrySandbox }: Config): boolean {
  return registrySandbox || flagOf(headers, 'x-sandbox');
}

/** The units that a request may spend: the operator's ceiling, which a caller can only lower. */
export function budgetOf(headers: IncomingHttpHeaders, { maxUnits }: Config): number | null {
  const header = headers['x-max-units'];
  if (header === undefined) return maxUnits;
  const asked = String(header).trim();
  if (!/^\d{1,9}$/.test(asked)) throw badHeader('The header `x-max-units` must be a whole number of units.');
  return maxUnits === null ? Number(asked) : Math.min(maxUnits, Number(asked));
}

/** Whether only the price is asked for. */
export function isDryRun(headers: IncomingHttpHeaders): boolean {
  return flagOf(headers, 'x-dry-run');
}

/** A header about money or sandbox that cannot be read refuses the request: its sender relies on it. */
function flagOf(headers: IncomingHttpHeaders, name: string): boolean {
  const header = headers[name];
  if (header === undefined) return false;
  const value = String(header).trim().toLowerCase();
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw badHeader(`The header \`${name}\` must be true or false.`);
}

function badHeader(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } } });
}
