import { texts } from '../language/texts';
import type { GraphqlError } from './graphql-response';

/** Returns an error in the user's language. The server's messages about whole requests are in English, for developers. */
export function describeError({ message, extensions = {} }: GraphqlError): string {
  const { code = '', budget, estimate } = extensions;
  if (code === 'UNIT_BUDGET_EXCEEDED' && budget !== undefined && estimate !== undefined)
    return texts.errors.overBudget(texts.units(estimate.estimatedUnits), budget);
  const [, variable, type] = /^Variable "(\$[^"]+)": expected ([^,]+),/.exec(message) ?? [];
  if (variable !== undefined && type !== undefined) return texts.errors.rejectedVariable(variable, type, message);
  return texts.errors.byCode[code] ?? message;
}
