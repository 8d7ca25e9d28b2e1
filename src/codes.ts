import { domainCodes } from './graph/domains/codes';
import { taxCodes } from './graph/domains/tax/codes';
import { moneyCodes } from './money/codes';
import { registryCodes } from './registry/answer/codes';
import type { ProblemCode } from './registry/answer/problem';
import { serverCodes } from './server/errors/codes';
import type { CodeEntry, ProblemEntry } from './text/code-entry';

/** Entries of the codes of a room or an extension, by code. It is beside the code that uses it. */
export type CodeTable = Readonly<Record<string, CodeEntry>>;

const coreTables: readonly CodeTable[] = [registryCodes, moneyCodes, domainCodes, taxCodes, serverCodes];

/** Returns every code of a problem or of a GraphQL error, by group. */
export function joinCodes(extensions: readonly { readonly codes: CodeTable }[]): readonly CodeEntry[] {
  const entries = [...coreTables, ...extensions.map(({ codes }) => codes)].flatMap((table) => Object.values(table));
  const groups = [...new Set(entries.map(({ group }) => group))];
  return groups.flatMap((name) => entries.filter(({ group }) => group === name));
}

/** Whether problems have the code, so that it is a value of the enum `ProblemCode`. */
export const isProblem = (entry: CodeEntry): entry is ProblemEntry<ProblemCode> => entry.spanish !== null;
