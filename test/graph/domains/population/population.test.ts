import { people, type SandboxPerson } from '../../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../../support/find-or-throw';
import { lookup } from '../../../support/operations/lookup';
import { IDENTITY } from '../../../support/operations/people-endpoints';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { withPadron } from '../../../support/padrons/with-padron';
import { withAltered } from '../../../support/proxies/altered-service';
import { asText, orNull, wireData } from '../../../support/sandbox/wire';

const query = `query ($curp: CURP) { person(curp: $curp) { curp identity { ${lookup} record {
  curp names paternalSurname maternalSurname sex birthDate birthCountry birthState proofDocument
  proof { state stateCode municipality municipalityCode year actNumber sheet book }
  history { status statusDescription originalCurp description } } } } }`;

interface WireIdentity extends Readonly<Record<string, unknown>> {
  readonly datosDocProbatorio: Readonly<Record<string, unknown>>;
  readonly historial: Readonly<Record<string, unknown>>;
}

const padron = padronForTests();

const somebody = findOrThrow(people, ({ curp, alive }) => alive && /\d$/.test(curp.slice(0, 17)));

describe('Person.identity', () => {
  it.each<[string, (person: SandboxPerson) => boolean]>([
    ['a person with every column', ({ actNumber }) => actNumber % 2 === 0 && actNumber % 5 !== 0],
    ['a person without sheet and book', ({ actNumber }) => actNumber % 2 === 1],
    ['a person without the code of the state', ({ actNumber }) => actNumber % 5 === 0],
    ['a person born abroad', ({ birthState }) => birthState.code === 'NE'],
    ['a person who has died', ({ alive }) => !alive],
    ['a person with one surname', ({ maternalSurname }) => maternalSurname === ''],
    ['a person born since 2000', ({ birthDate }) => birthDate >= '2000'],
    ['a person who is neither H nor M', ({ curp }) => curp.charAt(10) === 'X'],
  ])('shows every column of %s', async (_, fits) => {
    const person = findOrThrow(people, fits);
    const wire = await wireData<WireIdentity>(padron.sandbox, IDENTITY, { curp: person.curp });
    const { datosDocProbatorio: proof, historial: history } = wire;
    const { data, errors } = await padron.ask(query, { curp: person.curp });
    expect(errors).toBeUndefined();
    expect(data.person.identity.outcome).toBe('FOUND');
    const { curp, names, paternalSurname, sex, birthDate } = person;
    expect(data.person.identity.record).toEqual({
      ...{ curp, names, paternalSurname, maternalSurname: orNull(person.maternalSurname), sex, birthDate },
      ...{ birthCountry: wire.paisNacimiento, birthState: person.birthState.name, proofDocument: wire.docProbatorio },
      proof: {
        ...{ state: proof.entidadRegistro, stateCode: asText(proof.claveEntidadRegistro) },
        ...{ municipality: proof.municipioRegistro, municipalityCode: proof.claveMunicipioRegistro },
        ...{ year: proof.anioReg, actNumber: person.actNumber, sheet: orNull(proof.foja), book: orNull(proof.libro) },
      },
      history: {
        ...{ status: person.alive ? 'RCN' : 'BD', statusDescription: history.desEstatusCURP },
        ...{ originalCurp: curp, description: history.descripcionCurp },
      },
    });
    expect(padron.calls()).toEqual([IDENTITY]);
  });
});

describe("variations in the registry's answer", () => {
  const identityFrom = (alter: (record: object) => unknown) =>
    withAltered(
      (data) => alter(data as object),
      async ({ ask }) => (await ask(query, { curp: somebody.curp })).data.person.identity,
    );

  it('recognizes the CURP in lower case and with surrounding blanks', async () => {
    const identity = await identityFrom((record) => ({ ...record, curp: ` ${somebody.curp.toLowerCase()} ` }));
    expect(identity).toMatchObject({ outcome: 'FOUND', problems: [], record: { curp: somebody.curp } });
  });

  it('accepts a list of one record as the record', async () => {
    const found = { outcome: 'FOUND', problems: [], record: { names: somebody.names } };
    expect(await identityFrom((record) => [record])).toMatchObject(found);
  });

  it('gives null for values that cannot be read, and keeps the paid answer', async () => {
    const unreadable = { fechaNacimiento: '1980-13-45', sexo: 'OTRO', historial: null };
    const identity = await identityFrom((record) => ({ ...record, ...unreadable }));
    expect(identity).toMatchObject({ outcome: 'FOUND', record: { birthDate: null, sex: 'OTRO', history: null } });
  });
});

describe('the settings', () => {
  const wrongDigit = somebody.curp.slice(0, 17) + (9 - Number(somebody.curp.slice(17)));

  it('allow a call with a wrong check digit, with a warning', () =>
    withPadron({ environment: { CHECK_DIGITS: 'warn' } }, async ({ ask, calls }) => {
      const { data } = await ask(query, { curp: wrongDigit });
      expect(calls()).toEqual([IDENTITY]);
      expect(data.person.identity).toMatchObject({
        outcome: 'INVALID_INPUT',
        evidence: { status: 400 },
        problems: [
          { code: 'WRONG_CHECK_DIGIT', path: ['curp'] },
          { code: 'REJECTED_BY_REGISTRY', path: ['curp'] },
        ],
      });
      const { data: malformed } = await ask(query, { curp: wrongDigit.slice(1) });
      expect(malformed.person.identity).toMatchObject({ problems: [{ code: 'INVALID_FORMAT' }] });
      expect(calls()).toEqual([]);
    }));

  it('change the path of the registry in the call and in its evidence', async () => {
    const identityPath = '/api/renapo/v2/consulta';
    const setup = { environment: { IDENTITY_PATH: identityPath }, sandbox: { identityPath } };
    await withPadron(setup, async ({ ask, calls }) => {
      const { data } = await ask(query, { curp: somebody.curp });
      const evidence = { endpoint: `POST ${identityPath}`, units: 1 };
      expect(data.person.identity).toMatchObject({ outcome: 'FOUND', evidence });
      const { data: refused } = await ask(query, { curp: '' });
      expect(refused.person.identity.evidence.endpoint).toBe(`POST ${identityPath}`);
      expect(calls()).toEqual([`POST ${identityPath}`]);
    });
  });

  it('do not confuse a wrong path with NOT_FOUND', () =>
    withPadron({ environment: { IDENTITY_PATH: '/api/renapo/nowhere' } }, async ({ ask }) => {
      const { data } = await ask(query, { curp: somebody.curp });
      expect(data.person.identity).toMatchObject({
        outcome: 'UNAVAILABLE',
        record: null,
        problems: [{ code: 'UNUSABLE_ANSWER' }],
        evidence: { status: 404, units: 0, billing: 'UNKNOWN' },
      });
    }));
});
