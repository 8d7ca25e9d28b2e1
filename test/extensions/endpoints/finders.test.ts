import { people } from '../../../src/extensions/sandbox/data/people';
import { getCard } from '../../../src/extensions/sandbox/test-cards/cards';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { setupOf } from './definitions';

const CREDIT = 'POST /api/infonavit/grupo/buscar-credito';
const FINDER = 'POST /private/afiliacion';
const WEEKS = 'POST /api/imss/grupo/semanas-cotizadas';
const [someone, stranger] = people.filter(({ credit, maternalSurname }) => credit && maternalSurname);

const padron = padronForTests(setupOf('findNss'));

async function ask(query: string) {
  const { data, errors } = await padron.ask(query);
  expect(errors).toBeUndefined();
  return data.person;
}

const lookup = '{ outcome problems { code } evidence { units } }';
const codesOf = ({ problems }: { readonly problems: readonly { readonly code: string }[] }) =>
  problems.map(({ code }) => code);

describe('an identifier that an endpoint file finds', () => {
  it('is looked up once for all fields that need it, and its price is known before', async () => {
    const query = `{ person(curp: "${someone?.curp}") { credit ${lookup} contributionWeeks ${lookup} } }`;
    const { data } = await padron.ask(`{ unitEstimate(input: { operation: ${JSON.stringify(query)} }) { atMost } }`);
    expect(data.unitEstimate.atMost).toBe(5 + 1 + 3);
    expect(padron.calls()).toEqual([]);
    const { credit, contributionWeeks } = await ask(query);
    expect([credit.outcome, contributionWeeks.outcome]).toEqual(['FOUND', 'FOUND']);
    expect([...padron.calls()].sort()).toEqual([WEEKS, CREDIT, FINDER].sort());
  });

  it('is not looked up if the caller gave it, also if what was given is wrong', async () => {
    const { credit } = await ask(`{ person(nss: "123", curp: "${someone?.curp}") { credit ${lookup} } }`);
    expect(credit.outcome).toBe('INVALID_INPUT');
    expect(padron.calls()).toEqual([]);
  });

  it('is not used if its record contradicts the name that the caller gave', async () => {
    const name = `{ names: "${stranger?.names}", paternalSurname: "${stranger?.paternalSurname}" }`;
    const { credit } = await ask(`{ person(curp: "${someone?.curp}", name: ${name}) { credit ${lookup} } }`);
    expect([credit.outcome, codesOf(credit)]).toEqual([
      'NOT_RUN',
      expect.arrayContaining(['IDENTITY_CONFLICT', 'MISSING_IDENTIFIER']),
    ]);
    expect(padron.calls()).toEqual([FINDER]);
  });

  it('is missing if no record has it, after one call', async () => {
    const { credit } = await ask(`{ person(curp: "${getCard('not-found', 'curp').value}") { credit ${lookup} } }`);
    expect([credit.outcome, codesOf(credit)]).toEqual(['NOT_RUN', ['MISSING_IDENTIFIER']]);
    expect(padron.calls()).toEqual([FINDER]);
  });

  it.each([
    ['names no CURP', people[10]],
    ['has a CURP that cannot be read', people[11]],
  ])('is not used if its record %s', async (_what, person) => {
    const { credit, insurance } = await ask(
      `{ person(curp: "${person?.curp}") { credit ${lookup} insurance ${lookup} } }`,
    );
    expect([credit.outcome, codesOf(credit)]).toEqual(['NOT_RUN', expect.arrayContaining(['ANSWER_MISMATCH'])]);
    expect(codesOf(insurance)).toContain('ANSWER_MISMATCH');
    expect(padron.calls()).toEqual([FINDER]);
  });

  it('is never found from a name, and never from an identifier that was found itself', async () => {
    const name = `{ names: "${someone?.names}", paternalSurname: "${someone?.paternalSurname}" }`;
    const { credit, insurance } = await ask(`{ person(name: ${name}) { credit ${lookup} insurance ${lookup} } }`);
    expect([codesOf(credit), codesOf(insurance)]).toEqual([['MISSING_IDENTIFIER'], ['MISSING_IDENTIFIER']]);
    expect(padron.calls()).toEqual([]);
    // The CURP is found from the NSS, and finds no NSS in turn.
    await ask(`{ person(nss: "${someone?.nss}") { insurance ${lookup} } }`);
    expect(padron.calls()).toEqual([CREDIT, FINDER]);
  });
});
