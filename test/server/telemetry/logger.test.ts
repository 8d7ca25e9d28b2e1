import { employers } from '../../../src/sandbox/data/employers';
import { people } from '../../../src/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { base64Input, byMultipart, credentialOf, TODAY, verifyMutation } from '../../support/keys/signatures';
import { type GraphqlAnswer, type RunningPadron, runPadron } from '../../support/padrons/padron';
import { card } from '../../support/sandbox/cards';
import { startForTests } from '../../support/start-for-tests';

const person = findOrThrow(people, ({ credit, licences, certificate, maternalSurname, account }) =>
  Boolean(credit && licences.length > 0 && certificate && maternalSurname && account),
);
const employer = findOrThrow(employers, ({ kind, owes }) => kind === 'MORAL' && !owes);
const signature = credentialOf('person');
const PASSWORD = 'Palabra-de-paso-7';
const TOKEN = 'token-of-a-client-that-nobody-may-see';

const everything = `query ($nss: NSS, $curp: CURP, $name: PersonNameInput, $registration: EmployerRegistration!, $licence: LicenceNumber!, $folio: CertificateFolio!) {
  person(nss: $nss, curp: $curp, name: $name) {
    identity { outcome problems { code message } record { names paternalSurname maternalSurname curp birthDate } }
    credit { outcome problems { code message } record { names email mobilePhone rfc curp number } }
    housingAccount { outcome problems { code message } record { totalBalance employerName } }
    licences(match: ALL) { outcome problems { code message } records { number names paternalSurname } }
    professionalStatus { outcome problems { code message } record { document { url content contentProblem { code message } } } }
  }
  employer(registration: $registration) {
    receipts(period: "2026-05") { outcome records { folio amountText files { pdf { url content contentProblem { code } } xml { url } } } }
    snapshots { outcome records { name rfc } }
    obligatedSubject { outcome record { id } }
    complianceOpinion { outcome document { filename } }
  }
  professionalLicence(number: $licence) { outcome records { names } }
  studyCertificate(folio: $folio) { outcome record { names paternalSurname } }
}`;

const variables = {
  nss: person.nss,
  curp: person.curp,
  name: { names: person.names, paternalSurname: person.paternalSurname, maternalSurname: person.maternalSurname },
  registration: employer.registration,
  licence: person.licences[0]?.number,
  folio: person.certificate?.folio,
};

/** Personal data that must not be logged, except texts that could also be words of padron. */
const secrets = new Set<string>([
  ...[person.nss, person.curp, person.rfc, person.email, person.phone],
  ...[`${person.names} ${person.paternalSurname}`, `${person.paternalSurname} ${person.maternalSurname}`],
  ...[person.licences[0]?.number ?? '', person.certificate?.folio ?? ''],
  ...[employer.registration, employer.rfc, employer.name, employer.obligatedSubjectId],
  ...[signature.rfc, signature.password, PASSWORD, TOKEN, 'sandbox-token', 'MARIANA SOLIS VEGA'],
  ...[signature.privateKey.toString('base64').slice(0, 60), signature.certificate.toString('base64').slice(0, 60)],
]);

/** Answers contain more about a person than the question: identifiers, money, links. */
function collect(value: unknown, key = ''): void {
  if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) collect(each, name);
  else if (typeof value === 'string' && secretKeys.has(key) && value.length > 5) secrets.add(value);
}

const secretKeys = new Set(
  'number names email mobilePhone rfc curp nss url folio totalBalance amountText name id birthDate'.split(' '),
);

const padron = startForTests(
  () => runPadron({ now: () => TODAY }),
  (started) => started.stop(),
);
const answers: GraphqlAnswer[] = [];
const ask = async (...asked: Parameters<RunningPadron['ask']>): Promise<GraphqlAnswer> => {
  const answer = await padron.ask(...asked);
  answers.push(answer);
  return answer;
};

describe('the log and the error messages of padron', () => {
  it('cover requests of every kind', async () => {
    const { data, errors } = await ask(everything, variables);
    expect(errors).toBeUndefined();
    const outcomes = [data.person, data.employer]
      .flatMap((entity) => Object.values(entity))
      .concat(data.studyCertificate);
    expect(outcomes.map((lookup) => Object(lookup).outcome)).toEqual(outcomes.map(() => 'FOUND'));
    collect(data);
    expect(secrets.size).toBeGreaterThan(25);

    await ask(everything, variables, { authorization: `Bearer ${TOKEN}` });
    await ask(everything, variables, { authorization: '' });
    await ask(everything, variables, { 'x-sandbox': `${person.nss}` });
    await ask(everything, variables, { 'x-max-units': person.nss });
    for (const failure of ['server-error', 'html', 'somebody-else', 'unprocessable', 'foreign-link'] as const) {
      const failing = {
        ...variables,
        nss: card(failure === 'foreign-link' ? 'html' : failure, 'nss'),
        curp: card(failure, 'curp'),
      };
      await ask(everything, { ...failing, registration: card(failure, 'registration') });
    }
  });

  it('cover documents and variables with misplaced values', async () => {
    const [folded, quoted] = [person.curp, JSON.stringify(person.email)];
    for (const document of [
      `{ person(nss: ${person.nss}) { nss } }`,
      `{ person(nss: "${person.nss}) { nss } }`,
      `{ person(curp: ${folded}) { nss } }`,
      `{ person(name: {names: ${quoted}, ${folded}: 1}) { nss } }`,
      `{ person(name: ${quoted}) { licences(match: ${folded}) { outcome } } }`,
      `{ employer(registration: ["${employer.registration}"]) { ${'nobody'} } }`,
      `{ _entities(representations: [{__typename: ${quoted}, nss: "${person.nss}"}]) { __typename } }`,
      `{ _entities(representations: [{__typename: "Person", nss: {x: "${person.nss}"}}]) { ... on Person { credit { outcome problems { message } } } } }`,
    ]) {
      await ask(document);
    }
    for (const wrong of [
      { nss: Number(person.nss) },
      { nss: { value: person.nss } },
      { curp: [person.curp] },
      { name: person.names },
      { name: { [person.email]: person.phone } },
      { name: { names: [person.names], paternalSurname: null } },
      { registration: null, [person.email]: 1 },
      { folio: { folio: person.certificate?.folio } },
    ]) {
      await ask(everything, { ...variables, ...wrong });
    }
    await ask('query a { __typename }', { [person.curp]: person.nss });
  });

  it('cover signatures', async () => {
    answers.push(await byMultipart(padron, signature));
    answers.push(await byMultipart(padron, { ...signature, password: PASSWORD }));
    answers.push(await byMultipart(padron, credentialOf('revoked')));
    await ask(verifyMutation, { input: { ...base64Input(signature), password: [PASSWORD] } });
    await ask(verifyMutation, { input: { ...base64Input(signature), certificate: PASSWORD } });
    await ask(verifyMutation, { input: { password: PASSWORD, [PASSWORD]: 1 } });
  });

  it('contain no value of these requests', () => {
    const messages = answers.flatMap(({ errors }) => errors ?? []).map((error) => JSON.stringify(error));
    expect([messages.length > 20, padron.log.length > 60]).toEqual([true, true]);
    for (const secret of secrets) {
      expect([...padron.log, ...messages].filter((line) => line.includes(secret))).toEqual([]);
    }
    expect(padron.log.filter((line) => line.includes('internal error'))).toEqual([]);
  });
});
