import { setTimeout } from 'node:timers/promises';
import type { SandboxPerson } from '../../../../src/extensions/sandbox/data/people';
import { uncleanPeople } from '../../../../src/extensions/sandbox/data/unclean-people';
import { nameOf } from '../../../support/operations/mixed-people';
import { ACCOUNT, CREDIT, IDENTITY, SEARCH, STATUS } from '../../../support/operations/people-endpoints';
import { proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import { waitUntil } from '../../../support/proxies/deferred';
import { holdResponses } from '../../../support/proxies/held-responses';

const padron = proxiedPadronForTests();

const operation = `query ($nss: NSS, $curp: CURP, $name: PersonNameInput) {
  person(nss: $nss, curp: $curp, name: $name) {
    credit { outcome problems { code } record { curp names paternalSurname maternalSurname } }
    licences { outcome problems { code message } records { number names curp } setAside }
    identity { outcome problems { code } record { curp names paternalSurname maternalSurname } }
    housingAccount { outcome problems { code } }
    professionalStatus { outcome problems { code } }
    consistency { status }
  } }`;

interface Question {
  readonly nss?: string;
  readonly curp?: string;
  readonly name?: Partial<ReturnType<typeof nameOf>>;
}

interface Answered {
  readonly outcome: string;
  readonly problems: readonly { readonly code: string; readonly message?: string }[];
}

/** Codes of problems that keep a reader from using a record. Any other code of these lookups is a remark. */
const contradictions = ['IDENTITY_CONFLICT', 'ANSWER_MISMATCH', 'NO_RECORD_MATCHES', 'MISSING_IDENTIFIER'];
const contradictionsOf = (lookups: readonly Answered[]): readonly string[] =>
  lookups.flatMap(({ problems }) => problems.map(({ code }) => code).filter((code) => contradictions.includes(code)));

async function ask(question: Question) {
  const { data, errors } = await padron.ask(operation, { ...question });
  expect(errors).toBeUndefined();
  const { credit, licences, identity, housingAccount, professionalStatus, consistency } = data.person;
  const lookups: readonly Answered[] = [credit, licences, identity, housingAccount, professionalStatus];
  const numbers: readonly string[] = (licences.records ?? []).map(({ number }: { number: string }) => number);
  const calls = padron.callsInFull();
  return {
    credit,
    licences,
    identity,
    numbers: [...numbers].sort(),
    status: consistency.status,
    outcomes: lookups.map(({ outcome }) => outcome),
    lookups,
    contradictions: contradictionsOf(lookups),
    calls: calls.map(({ endpoint }) => endpoint).sort(),
    searched: calls.find(({ endpoint }) => endpoint === SEARCH)?.input,
  };
}

const questionAbout = (person: SandboxPerson): Question => ({
  nss: person.nss,
  curp: person.curp,
  name: nameOf(person),
});
const numbersOf = (...people: readonly { readonly person: SandboxPerson }[]): readonly string[] =>
  people.flatMap(({ person }) => person.licences.map(({ number }) => number)).sort();

const allCalls = [ACCOUNT, CREDIT, IDENTITY, SEARCH, STATUS].sort();
const allFound = { outcomes: Array(5).fill('FOUND'), contradictions: [], calls: allCalls };
const { lostEnye, abbreviated, replacedCurp, noSecondSurname, withHomonym, homonym, otherSpelling, brother } =
  uncleanPeople;
const oldCurp = replacedCurp.person.replacedCurp ?? '';

describe.each(Object.entries(uncleanPeople))('%s', (_, { person }) => {
  const strangers = Object.values(uncleanPeople).filter((unclean) => unclean.person !== person);
  const curps = strangers.flatMap((stranger) => [stranger.person.curp, stranger.person.replacedCurp ?? []].flat());

  it.each(curps)('is never taken for the person with the CURP %s', async (curp) => {
    const { lookups, status, calls } = await ask({ nss: person.nss, curp });
    const unmarked = lookups.filter(
      ({ outcome, problems }) => outcome === 'FOUND' && !problems.some(({ code }) => code === 'IDENTITY_CONFLICT'),
    );
    expect({ status, unmarked, calls }).toEqual({ status: 'CONFLICTING', unmarked: [], calls: allCalls });
  });
});

describe('people with the same name', () => {
  it.each([
    ['by NSS', { nss: withHomonym.person.nss }],
    ['by NSS, CURP and name', questionAbout(withHomonym.person)],
  ])('a licence without a CURP may be of the person asked about, and is shown without one: %s', async (_, question) => {
    const answer = await ask(question);
    expect(answer).toMatchObject({ ...allFound, numbers: numbersOf(withHomonym, homonym), status: 'CONSISTENT' });
    expect(answer.licences).toMatchObject({
      records: expect.arrayContaining([{ number: numbersOf(homonym)[0], names: 'LORENZO', curp: null }]),
      setAside: 0,
    });
  });

  it.each([
    ['by NSS', { nss: homonym.person.nss }],
    ['by NSS, CURP and name', questionAbout(homonym.person)],
  ])('a licence with the CURP of the homonym is set aside: %s', async (_, question) => {
    const answer = await ask(question);
    expect(answer).toMatchObject({ ...allFound, numbers: numbersOf(homonym) });
    expect(answer.status).not.toBe('CONFLICTING');
    expect(answer.licences.setAside).toBe(1);
  });
});

describe('brothers', () => {
  it.each([
    ['by NSS', { nss: brother.person.nss }],
    ['by NSS, CURP and name', questionAbout(brother.person)],
  ])('each has his own licence: %s', async (_, question) => {
    expect(await ask(question)).toMatchObject({ ...allFound, numbers: numbersOf(brother), status: 'CONSISTENT' });
  });

  it('the CURP of one contradicts the NSS of the other', async () => {
    const answer = await ask({ nss: otherSpelling.person.nss, curp: brother.person.curp });
    expect(answer.credit).toMatchObject({ outcome: 'FOUND', record: { curp: otherSpelling.person.curp } });
    expect(answer.credit.problems).toMatchObject([{ code: 'IDENTITY_CONFLICT' }]);
    expect([answer.status, answer.calls]).toEqual(['CONFLICTING', allCalls]);
    expect(answer.numbers).toEqual(numbersOf(brother));
  });

  it('the name of one contradicts the CURP of the other, and the licence of neither is shown', async () => {
    const { nss, curp } = otherSpelling.person;
    const answer = await ask({ nss, curp, name: nameOf(brother.person) });
    expect(answer.credit.problems).toMatchObject([{ code: 'IDENTITY_CONFLICT' }]);
    expect(answer.identity.problems).toMatchObject([{ code: 'IDENTITY_CONFLICT' }]);
    expect(answer).toMatchObject({ status: 'CONFLICTING', numbers: [], calls: allCalls });
  });
});

describe('no second surname', () => {
  it('contradicts nothing if the caller gives none', async () => {
    const answer = await ask({
      ...questionAbout(noSecondSurname.person),
      name: { names: 'NORMA', paternalSurname: 'BETANCOURT' },
    });
    expect(answer).toMatchObject({ ...allFound, numbers: numbersOf(noSecondSurname) });
    expect(answer.status).not.toBe('CONFLICTING');
  });
});

/** Needs the comparison of names, the repair of a lost Ñ, and the answer about a CURP that was replaced. */
describe('one person, written differently', () => {
  describe('an Ñ that the housing fund lost', () => {
    it.each([
      ['by NSS', { nss: lostEnye.person.nss }],
      ['by NSS, CURP and name', questionAbout(lostEnye.person)],
    ])('is restored where it is shown, searched and compared: %s', async (_, question) => {
      const answer = await ask(question);
      expect(answer).toMatchObject({ ...allFound, numbers: numbersOf(lostEnye), status: 'CONSISTENT' });
      expect(answer.searched).toEqual({ nombres: 'BLANCA ESTELA', paterno: 'MUÑOZ', materno: 'ARRIAGA' });
      expect(answer.credit.record).toMatchObject({ paternalSurname: 'MUÑOZ' });
    });
  });

  describe('MARÍA, abbreviated', () => {
    const surnames = { paterno: 'IZAGUIRRE', materno: 'SALDÍVAR' };
    it.each([
      ['the housing fund', { nss: abbreviated.person.nss }],
      [
        'the caller',
        { ...questionAbout(abbreviated.person), name: { ...nameOf(abbreviated.person), names: 'Ma. Griselda' } },
      ],
    ])('is not searched if %s abbreviates it', async (_, question) => {
      const answer = await ask(question);
      expect(answer).toMatchObject({ ...allFound, numbers: numbersOf(abbreviated) });
      expect(answer.searched).toEqual({ nombres: 'GRISELDA', ...surnames });
      expect(answer.status).not.toBe('CONFLICTING');
    });

    it('contradicts nothing if the caller writes it out and the CURP is the same', async () => {
      const answer = await ask(questionAbout(abbreviated.person));
      expect(answer).toMatchObject({ ...allFound, numbers: numbersOf(abbreviated) });
      expect(answer.searched).toEqual({ nombres: 'MARÍA GRISELDA', ...surnames });
      expect(answer.status).not.toBe('CONFLICTING');
    });
  });

  describe('a CURP that was replaced', () => {
    it('leaves open whose a licence is, if the population registry does not answer', async () => {
      padron.proxy.tamper((_, { path }) => (path.includes('valida-curp') ? { status: 503, json: {} } : null));
      const answer = await ask(questionAbout(replacedCurp.person));
      expect(answer.licences).toMatchObject({
        outcome: 'UNAVAILABLE',
        problems: expect.arrayContaining([expect.objectContaining({ code: 'POSSIBLE_RECORDS' })]),
      });
    });

    it('is this person’s, even if the licences arrive before the population registry’s answer', async () => {
      const identity = holdResponses(padron.proxy, ({ path }) => path.includes('valida-curp'));
      const asked = ask(questionAbout(replacedCurp.person));
      await identity.arrived(1);
      await waitUntil(() => padron.proxy.requests.some(({ path }) => path.includes('obtener-cedula')));
      await setTimeout(200);
      identity.release();
      expect(await asked).toMatchObject({ ...allFound, numbers: numbersOf(replacedCurp) });
    });

    it.each([
      ['found by NSS', { nss: replacedCurp.person.nss }],
      ['given with NSS and name', { ...questionAbout(replacedCurp.person), curp: oldCurp }],
    ])('is this person’s, as the current one is: %s', async (_, question) => {
      const answer = await ask(question);
      expect(answer).toMatchObject({ ...allFound, numbers: numbersOf(replacedCurp) });
      expect(answer.status).not.toBe('CONFLICTING');
      expect(answer.identity.record).toMatchObject({ curp: replacedCurp.person.curp, names: 'RENATA' });
      expect(answer.credit.record).toMatchObject({ curp: oldCurp });
    });

    it('contradicts no credit if the caller gives the current one', async () => {
      const { credit, identity, status } = await ask(questionAbout(replacedCurp.person));
      expect([credit.outcome, identity.outcome, ...credit.problems, ...identity.problems]).toEqual(['FOUND', 'FOUND']);
      expect(status).not.toBe('CONFLICTING');
    });
  });

  describe('X for no second surname', () => {
    it.each([
      ['the housing fund', { nss: noSecondSurname.person.nss }],
      [
        'the caller',
        { ...questionAbout(noSecondSurname.person), name: { ...nameOf(noSecondSurname.person), maternalSurname: 'X' } },
      ],
    ])('is not searched if %s writes it', async (_, question) => {
      const answer = await ask(question);
      expect(answer).toMatchObject({ ...allFound, numbers: numbersOf(noSecondSurname), status: 'CONSISTENT' });
      expect(answer.searched).toEqual({ nombres: 'NORMA', paterno: 'BETANCOURT' });
    });
  });

  describe('a licence with another spelling of the name', () => {
    it.each([
      ['by NSS', { nss: otherSpelling.person.nss }],
      ['by NSS, CURP and name', questionAbout(otherSpelling.person)],
    ])('is shown because its CURP is the same: %s', async (_, question) => {
      const answer = await ask(question);
      expect(answer).toMatchObject({ ...allFound, numbers: numbersOf(otherSpelling) });
      expect(answer.licences).toMatchObject({ records: [{ names: 'ARMANDO DE JESÚS' }], setAside: 0 });
      expect(answer.status).not.toBe('CONFLICTING');
    });

    it('may be this person’s if no CURP decides, and is no plain NOT_FOUND', async () => {
      const { licences, searched } = await ask({ name: nameOf(otherSpelling.person) });
      expect(searched).toEqual({ nombres: 'ARMANDO', paterno: 'VILLALOBOS', materno: 'CERVANTES' });
      expect(licences.problems).toMatchObject([
        { message: expect.stringMatching(/^1 record\(s\) may be this person/) },
      ]);
    });
  });
});
