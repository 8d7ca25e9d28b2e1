import type { Failure } from '../../../../src/extensions/sandbox/test-cards/failures';
import { CREDIT, IDENTITY, SEARCH, STATUS } from '../../../support/operations/people-endpoints';
import { somebody } from '../../../support/operations/people-fields';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { withPadron } from '../../../support/padrons/with-padron';
import { withAltered } from '../../../support/proxies/altered-service';
import { card } from '../../../support/sandbox/cards';
import { unusedCurp, unusedNss } from '../../../support/sandbox/identifiers';
import { documentOf } from './person-document';

const { nss, curp, names, paternalSurname, maternalSurname } = somebody;
const search = { nombres: names, paterno: paternalSurname, materno: maternalSurname };
const wrongNss = nss.slice(0, 10) + (9 - Number(nss.slice(10)));

const padron = padronForTests();

describe('a person by NSS alone', () => {
  it.each([
    ['licences', SEARCH, 1, search],
    ['professionalStatus', STATUS, 2, { curp }],
    ['identity', IDENTITY, 1, { curp }],
  ] as const)('has %s, found through the housing fund', async (field, endpoint, units, input) => {
    const before = padron.spent();
    const { data, errors } = await padron.ask(documentOf(field), { nss });
    expect(errors).toBeUndefined();
    // Evidence speaks of the field's own call only.
    expect(data.person[field]).toMatchObject({
      outcome: 'FOUND',
      problems: [],
      evidence: { endpoint, units, servedFrom: 'LIVE', billing: 'CHARGED' },
    });
    expect(padron.spent() - before).toBe(units + 1);
    expect(padron.callsInFull()).toMatchObject([{ endpoint: CREDIT }, { endpoint, input }]);
  });

  it('keeps identifiers that the query did not give null, whatever was found', async () => {
    const { data } = await padron.ask(documentOf('professionalStatus', 'identity'), { nss });
    expect(data.person).toMatchObject({ nss, curp: null, identity: { record: { curp } } });
  });

  it('makes no call for its identifiers alone', async () => {
    const { data } = await padron.ask('query ($nss: NSS) { person(nss: $nss) { nss curp } }', { nss });
    expect(data.person).toEqual({ nss, curp: null });
    expect(padron.calls()).toEqual([]);
  });

  it.each([
    ['before', ['credit', 'licences', 'identity']],
    ['behind', ['identity', 'licences', 'credit']],
  ] as const)('makes one call for a credit that is selected %s the chain, and reports it', async (_, chosen) => {
    const { data } = await padron.ask(documentOf(...chosen), { nss });
    expect(data.person.credit.evidence).toMatchObject({ endpoint: CREDIT, servedFrom: 'LIVE', units: 1 });
    expect([...padron.calls()].sort()).toEqual([CREDIT, IDENTITY, SEARCH].sort());
  });

  it('is asked for by the normal form of a CURP that the fund returns in lower case or with blanks', async () => {
    const alter = (data: unknown, path: string) =>
      path.endsWith('buscar-credito')
        ? { ...(data as object), scurp: ` ${curp.toLowerCase()} `, nombre: ` ${names}  ` }
        : data;
    await withAltered(alter, async ({ ask, callsInFull }) => {
      const { data } = await ask(documentOf('identity', 'licences'), { nss });
      expect(data.person).toMatchObject({ identity: { outcome: 'FOUND' }, licences: { outcome: 'FOUND' } });
      const inputs = callsInFull().map(({ input }) => input);
      expect(inputs).toEqual(expect.arrayContaining([{ curp }, search]));
    });
  });
});

describe('a person by CURP alone', () => {
  it('has licences, found through the population registry', async () => {
    const { data } = await padron.ask(documentOf('licences'), { curp });
    expect(data.person.licences).toMatchObject({ outcome: 'FOUND', evidence: { endpoint: SEARCH, units: 1 } });
    expect(padron.callsInFull()).toMatchObject([{ endpoint: IDENTITY }, { endpoint: SEARCH, input: search }]);
  });

  it('gives NOT_RUN for fields that need an NSS', async () => {
    const { data } = await padron.ask(documentOf('credit'), { curp });
    expect(data.person.credit).toMatchObject({
      outcome: 'NOT_RUN',
      record: null,
      problems: [{ code: 'MISSING_IDENTIFIER', path: ['nss'] }],
      evidence: { endpoint: CREDIT, servedFrom: 'NOT_SENT', units: 0 },
    });
    expect(padron.calls()).toEqual([]);
  });
});

describe('a person by more than one identifier', () => {
  it.each([
    ['is not known', unusedNss, [CREDIT]],
    ['has no usable answer', card('html', 'nss'), [CREDIT]],
    ['gives an answer about another person', card('somebody-else', 'nss'), [CREDIT]],
    ['needs a missing permission', card('forbidden', 'nss'), [CREDIT]],
    ['has a wrong check digit', wrongNss, []],
    ['is invalid', 'x', []],
  ])('is looked up by CURP if the NSS %s', async (_, failingNss, before) => {
    const { data } = await padron.ask(documentOf('licences'), { nss: failingNss, curp });
    expect(data.person.licences).toMatchObject({
      outcome: 'FOUND',
      problems: [],
      records: [{ names, paternalSurname }],
    });
    expect(padron.calls()).toEqual([...before, IDENTITY, SEARCH]);
  });

  it('is looked up by NSS first, and a given CURP is not looked up', async () => {
    await padron.ask(documentOf('licences', 'professionalStatus'), { nss, curp });
    expect([...padron.calls()].sort()).toEqual([CREDIT, SEARCH, STATUS].sort());
  });

  it('gets a warning of a wrong CURP beside an NSS, and the right CURP from the fund', async () => {
    const { data } = await padron.ask(documentOf('licences', 'identity'), { nss, curp: curp.slice(1) });
    const problems = [{ code: 'INVALID_FORMAT', path: ['curp'] }];
    expect(data.person.licences).toMatchObject({ outcome: 'FOUND', problems, records: [{ names }] });
    expect(data.person.identity).toMatchObject({ outcome: 'INVALID_INPUT', problems });
    expect(padron.calls()).toEqual([CREDIT, SEARCH]);
  });

  it('gets a warning of a wrong check digit that the operator accepts, with or without a chain', () =>
    withPadron({ environment: { CHECK_DIGITS: 'warn' } }, async ({ ask }) => {
      const mistyped = curp.slice(0, 17) + (9 - Number(curp.slice(17)));
      const name = { names, paternalSurname, maternalSurname };
      for (const variables of [{ nss }, { name }]) {
        const { data } = await ask(documentOf('licences'), { ...variables, curp: mistyped });
        expect(data.person.licences.problems).toMatchObject([{ code: 'WRONG_CHECK_DIGIT', path: ['curp'] }]);
        expect(data.person.licences.evidence.servedFrom).toBe('LIVE');
      }
    }));

  it('is searched for by the given name unchanged', async () => {
    const name = { names, paternalSurname, maternalSurname };
    const { data } = await padron.ask(documentOf('licences'), { nss, curp, name });
    expect(data.person.licences.outcome).toBe('FOUND');
    expect(padron.calls()).toEqual([SEARCH]);
  });

  it('keeps two identifiers that disagree as given', async () => {
    const { data } = await padron.ask(documentOf('credit', 'identity'), { nss, curp: unusedCurp });
    expect(data.person).toMatchObject({
      nss,
      curp: unusedCurp,
      credit: { record: { curp } },
      identity: { outcome: 'NOT_FOUND' },
    });
  });
});

describe('a chain that fails', () => {
  it.each<[Failure, string]>([
    ['html', 'UNUSABLE_ANSWER'],
    ['server-error', 'REGISTRY_ERROR'],
    ['forbidden', 'MISSING_PERMISSION'],
    ['bad-request', 'REJECTED_BY_REGISTRY'],
    ['rate-limited-for-a-day', 'RATE_LIMITED'],
    ['IMSS_SESSION_REQUIRED', 'IMSS_SESSION_REQUIRED'],
    ['somebody-else', 'ANSWER_MISMATCH'],
  ])('gives NOT_RUN with the problems of «%s»', async (failure, code) => {
    const { data } = await padron.ask(documentOf('licences', 'professionalStatus', 'identity'), {
      nss: card(failure, 'nss'),
    });
    const notRun = (path: string) => ({
      outcome: 'NOT_RUN',
      problems: [{ code }, { code: 'MISSING_IDENTIFIER', path: [path] }],
    });
    expect(data.person).toMatchObject({
      licences: {
        ...notRun('name'),
        records: null,
        evidence: { endpoint: SEARCH, servedFrom: 'NOT_SENT', units: 0 },
      },
      professionalStatus: { ...notRun('curp'), record: null, evidence: { endpoint: STATUS, servedFrom: 'NOT_SENT' } },
      identity: { ...notRun('curp'), record: null, evidence: { endpoint: IDENTITY, status: null } },
    });
    expect(padron.calls()).toEqual([CREDIT]);
  });

  it('reports the problems of every registry that was tried', async () => {
    const { data } = await padron.ask(documentOf('licences'), {
      nss: card('html', 'nss'),
      curp: card('server-error', 'curp'),
    });
    const codes = data.person.licences.problems.map(({ code }: { readonly code: string }) => code);
    expect(codes).toEqual(['UNUSABLE_ANSWER', 'REGISTRY_ERROR', 'MISSING_IDENTIFIER']);
    expect(padron.calls()).toEqual([CREDIT, IDENTITY]);
  });

  it.each([
    ['an unknown NSS', { nss: unusedNss }, [], [CREDIT]],
    ['an unknown CURP', { curp: unusedCurp }, [], [IDENTITY]],
    [
      'a CURP whose answer is about another person',
      { curp: card('somebody-else', 'curp') },
      ['ANSWER_MISMATCH'],
      [IDENTITY],
    ],
    ['a wrong NSS', { nss: wrongNss }, ['WRONG_CHECK_DIGIT'], []],
    ['a wrong CURP', { curp: 'x' }, ['INVALID_FORMAT'], []],
  ])('does not search for licences by %s', async (_, variables, because, calls) => {
    const { data } = await padron.ask(documentOf('licences'), variables);
    const { outcome, problems } = data.person.licences;
    expect(outcome).toBe('NOT_RUN');
    expect(problems.map(({ code }: { readonly code: string }) => code)).toEqual([...because, 'MISSING_IDENTIFIER']);
    expect(padron.calls()).toEqual(calls);
  });

  it('reports the warning of a check digit that the operator accepts', () =>
    withPadron({ environment: { CHECK_DIGITS: 'warn' } }, async ({ ask, calls }) => {
      const { data } = await ask(documentOf('identity'), { nss: wrongNss });
      expect(data.person.identity).toMatchObject({
        outcome: 'NOT_RUN',
        problems: [
          { code: 'WRONG_CHECK_DIGIT', path: ['nss'] },
          { code: 'REJECTED_BY_REGISTRY' },
          { code: 'MISSING_IDENTIFIER' },
        ],
      });
      expect(calls()).toEqual([CREDIT]);
    }));
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
    const [found, notRun] = ['FOUND', 'NOT_RUN'].map((outcome) => ({ identity: { outcome } }));
    const failed = { malformed: notRun, page: notRun, broken: notRun, stranger: notRun, nobody: notRun };
    expect(data).toEqual({ good: found, ...failed, other: found });
  });
});

it('only lookups fail without a token that the service knows', async () => {
  const query = `query ($nss: NSS) { person(nss: $nss) { nss credit { outcome } identity { outcome } }
    wrong: person(nss: "x") { credit { outcome } } registryEndpoints { endpoint } }`;
  const { data, errors } = await padron.ask(query, { nss: somebody.nss }, { authorization: 'Bearer nobody' });
  expect(data.person).toEqual({ nss: somebody.nss, credit: null, identity: null });
  expect(data.wrong).toEqual({ credit: { outcome: 'INVALID_INPUT' } });
  expect(data.registryEndpoints).not.toEqual([]);
  const paths = (errors ?? []).map(({ path, extensions }) => `${path.join('.')}: ${extensions.code}`).sort();
  expect(paths).toEqual(['person.credit: UNAUTHENTICATED', 'person.identity: UNAUTHENTICATED']);
  expect(JSON.stringify(errors)).not.toContain('nobody');
});
