import { UNPERMITTED_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { lookup } from '../../../support/operations/lookup';
import { ACCOUNT, CREDIT, IDENTITY, SEARCH, STATUS, STATUS_LINK } from '../../../support/operations/people-endpoints';
import { somebody } from '../../../support/operations/people-fields';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { card } from '../../../support/sandbox/cards';

const profile = `query ($nss: NSS) { person(nss: $nss) { nss curp
  credit { ${lookup} record { names paternalSurname maternalSurname curp } }
  housingAccount { ${lookup} record { nss totalBalance } }
  identity { ${lookup} record { names paternalSurname maternalSurname curp } }
  licences { ${lookup} records { number names paternalSurname maternalSurname } }
  professionalStatus { ${lookup} record { curp document { content contentProblem { code } } } } } }`;

/** The selection of a lookup's cost. */
interface Lookup {
  readonly evidence: { readonly units: number; readonly servedFrom: string };
}
const unitsOf = (answers: readonly Lookup[]): number => answers.reduce((sum, { evidence }) => sum + evidence.units, 0);

const padron = padronForTests();

describe('a whole profile from one NSS', () => {
  it('makes one call to each registry, and its evidence adds up to the units spent', async () => {
    const before = padron.spent();
    const { data, errors } = await padron.ask(profile, { nss: somebody.nss });
    expect(errors).toBeUndefined();
    const { nss, curp, ...answers } = data.person;
    const lookups = Object.values<Lookup & { readonly outcome: string }>(answers);
    expect({ nss, curp }).toEqual({ nss: somebody.nss, curp: null });
    expect(lookups.map(({ outcome, evidence }) => [outcome, evidence.servedFrom])).toEqual(
      Array(5).fill(['FOUND', 'LIVE']),
    );
    expect(unitsOf(lookups)).toBe(6);
    expect(padron.spent() - before).toBe(6);
    expect([...padron.calls()].sort()).toEqual([ACCOUNT, CREDIT, IDENTITY, SEARCH, STATUS, STATUS_LINK].sort());
  });

  it('is free in sandbox mode, chains included', async () => {
    const before = padron.spent();
    const { data } = await padron.ask(profile, { nss: somebody.nss }, { 'x-sandbox': 'true' });
    const { nss: _, curp: __, ...answers } = data.person;
    const served = Object.values<Lookup>(answers).map(({ evidence }) => evidence.servedFrom);
    expect(served).toEqual(Array(5).fill('SANDBOX'));
    expect(padron.spent()).toBe(before);
  });
});

describe('a person without an identifier', () => {
  it('gives NOT_RUN for every lookup', async () => {
    const fields = ['credit', 'housingAccount', 'identity', 'licences', 'professionalStatus'];
    const selection = fields.map(
      (field) => `${field} { outcome problems { code path } evidence { servedFrom units } }`,
    );
    const { data, errors } = await padron.ask(`{ person { nss curp ${selection.join(' ')} } }`);
    expect(errors).toBeUndefined();
    const notRun = (path: string) => ({
      outcome: 'NOT_RUN',
      problems: [{ code: 'MISSING_IDENTIFIER', path: [path] }],
      evidence: { servedFrom: 'NOT_SENT', units: 0 },
    });
    expect(data.person).toEqual({
      nss: null,
      curp: null,
      credit: notRun('nss'),
      housingAccount: notRun('nss'),
      identity: notRun('curp'),
      licences: notRun('name'),
      professionalStatus: notRun('curp'),
    });
    expect(padron.calls()).toEqual([]);
  });
});

describe('a person whose lookup fails', () => {
  it('does not affect other people', async () => {
    const argumentsByAlias = {
      good: `nss: "${somebody.nss}"`,
      malformed: 'nss: "x"',
      page: `nss: "${card('html', 'nss')}"`,
      broken: `nss: "${card('server-error', 'nss')}"`,
      stranger: `nss: "${card('somebody-else', 'nss')}"`,
      nobody: 'nss: null',
      other: `curp: "${somebody.curp}"`,
    };
    const aliases = Object.entries(argumentsByAlias).map(
      ([alias, argument]) => `${alias}: person(${argument}) { identity { outcome } }`,
    );
    const { data, errors } = await padron.ask(`{ ${aliases.join(' ')} }`);
    expect(errors).toBeUndefined();
    const outcomes = Object.fromEntries(
      Object.entries<{ readonly identity: { readonly outcome: string } }>(data).map(([alias, { identity }]) => [
        alias,
        identity.outcome,
      ]),
    );
    expect(outcomes).toEqual({
      good: 'FOUND',
      malformed: 'NOT_RUN',
      page: 'NOT_RUN',
      broken: 'NOT_RUN',
      stranger: 'NOT_RUN',
      nobody: 'NOT_RUN',
      other: 'FOUND',
    });
  });
});

describe('without a token that the service knows', () => {
  it.each([
    ['no token', ''],
    ['a refused token', 'Bearer nobody'],
    ['another scheme', `Digest ${UNPERMITTED_TOKEN}`],
  ])('only lookups fail (%s)', async (_, authorization) => {
    const query = `query ($nss: NSS) { person(nss: $nss) { nss credit { outcome } identity { outcome } }
      wrong: person(nss: "x") { credit { outcome } } registryEndpoints { endpoint } }`;
    const { data, errors } = await padron.ask(query, { nss: somebody.nss }, { authorization });
    expect(data.person).toEqual({ nss: somebody.nss, credit: null, identity: null });
    expect(data.wrong).toEqual({ credit: { outcome: 'INVALID_INPUT' } });
    expect(data.registryEndpoints).not.toEqual([]);
    const paths = (errors ?? []).map(({ path, extensions }) => [path.join('.'), extensions.code]).sort();
    expect(paths).toEqual([
      ['person.credit', 'UNAUTHENTICATED'],
      ['person.identity', 'UNAUTHENTICATED'],
    ]);
    expect(JSON.stringify(errors)).not.toMatch(/nobody|sandbox-token/);
  });
});
