import { type GraphQLField, isObjectType, isRequiredArgument } from 'graphql';
import { employers } from '../../../../src/extensions/sandbox/data/employers';
import { renderOpinion } from '../../../../src/extensions/sandbox/documents/certificates';
import type { PaidFieldExtension } from '../../../../src/graph/core/paid-field';
import { addressOf } from '../../../support/address-of';
import { findOrThrow } from '../../../support/find-or-throw';
import { monthWith, NOW, ofEmployer, payer, receiptsIn } from '../../../support/operations/employer-graph';
import { fullSelection } from '../../../support/operations/full-selection';
import { proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import { buildGraph } from '../../../support/padrons/whole-padron';
import type { RelayedAnswer } from '../../../support/proxies/tampering-proxy';

const graph = buildGraph();
const employer = graph.schema.getType('Employer');
const paidFields = isObjectType(employer)
  ? Object.values(employer.getFields()).flatMap((field) => {
      const paidField = field.extensions.paidField as PaidFieldExtension | undefined;
      return paidField === undefined ? [] : [{ name: field.name, field, endpoint: paidField.endpoint }];
    })
  : [];

const period = monthWith(1);
const examples: Readonly<Record<string, string | undefined>> = {
  ...{ period, from: period, to: period, folio: receiptsIn(payer, period)[0]?.folio },
};

/** Returns the field with a value for each argument that it needs, and everything that its call provides. */
function selectionOf({ name, args }: GraphQLField<unknown, unknown>): string {
  const needed = args.filter(isRequiredArgument).map((argument) => {
    const example = examples[argument.name];
    if (example === undefined) throw new Error(`every-field.test.ts has no example of \`${argument.name}\`.`);
    return `${argument.name}: "${example}"`;
  });
  return `lookups: ${name}${needed.length === 0 ? '' : `(${needed.join()})`} ${fullSelection(graph, `Employer.${name}`)}`;
}

const stranger = findOrThrow(employers, ({ owes, kind, rfc }) => !owes && kind === 'MORAL' && rfc !== payer.rfc);
const identifiers = ['registration', 'rfc', 'obligatedSubjectId', 'name'] as const;
const { rfc, obligatedSubjectId, name: employerName } = stranger;
const opinion = { rfc, obligatedSubjectId, employerName, issuedAt: NOW, sense: 'POSITIVA', credits: [] } as const;

/** Returns the answer with the stranger in place of the employer, in every column and in a document. Returns null for an answer without a name or an identifier. */
async function nameStranger({ json, bytes }: RelayedAnswer) {
  if (json === undefined) return { bytes: await renderOpinion(opinion) };
  const text = bytes.toString();
  const changed = identifiers.reduce((written, kind) => written.replaceAll(payer[kind], stranger[kind]), text);
  return changed === text ? null : { bytes: Buffer.from(changed) };
}

const padron = proxiedPadronForTests({}, null, { now: () => NOW });

interface Answered {
  readonly outcome: string;
  readonly problems: readonly { readonly code: string }[];
}

async function ask(field: GraphQLField<unknown, unknown>) {
  const { data, errors } = await padron.ask(ofEmployer(selectionOf(field)), { registration: payer.registration });
  expect(errors).toBeUndefined();
  const lookups: readonly Answered[] = [data.employer.lookups].flat();
  return {
    outcomes: lookups.map(({ outcome }) => outcome),
    codes: lookups.flatMap(({ problems }) => problems.map(({ code }) => code)),
  };
}
const warnsOfStranger = (codes: readonly string[]): boolean =>
  codes.some((code) => ['ANSWER_MISMATCH', 'IDENTITY_CONFLICT', 'NO_RECORD_MATCHES'].includes(code));

describe('every paid field of an employer', () => {
  it('is in this test', () => {
    expect(paidFields.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        ...['receipts', 'receiptsBetween', 'receiptFiles', 'snapshots', 'obligatedSubject', 'complianceOpinion'],
      ]),
    );
  });

  it.each(paidFields)('$name says so if its answer names another employer', async ({ name, field, endpoint }) => {
    let isNamed = false;
    padron.proxy.tamper(async (answer, { path }) => {
      const changed = path === endpoint.path ? await nameStranger(answer) : null;
      isNamed ||= changed !== null;
      return changed;
    });
    const { codes } = await ask(field);
    expect(padron.calls()).toContain(addressOf(endpoint));
    expect([name, isNamed, endpoint.matches !== 'NAMES_NOBODY']).toEqual([name, warnsOfStranger(codes), isNamed]);
  });

  it.each(paidFields.filter(({ endpoint }) => endpoint.matches !== 'NAMES_NOBODY'))(
    '$name says so if each answer that it needs names another employer',
    async ({ name, field }) => {
      padron.proxy.tamper(nameStranger);
      const { codes } = await ask(field);
      expect([name, warnsOfStranger(codes), codes]).toEqual([name, true, codes]);
    },
  );

  it.each(paidFields)('$name says nothing if its answer names the employer', async ({ field }) => {
    expect(await ask(field)).toEqual({ outcomes: ['FOUND'], codes: [] });
  });
});
