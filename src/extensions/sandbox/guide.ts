import { builtInAccounts } from './accounts/accounts';
import { employers, type SandboxEmployer } from './data/employers';
import { availablePeriods } from './data/months';
import { people, type SandboxPerson } from './data/people';
import { type About, uncleanPeople } from './data/unclean-people';
import { findReceipts } from './documents/receipts';
import { sandboxCredentials } from './efirma/credentials';
import { cards } from './test-cards/cards';
import { failures } from './test-cards/failures';
import { partlyFailingEmployers, testPersonas } from './test-cards/personas';

export function createGuide(now: Date) {
  return {
    tokens: builtInAccounts.map(({ token, name, spanish = name }) => ({ token, about: { english: name, spanish } })),
    people: people.map((person) => toPersonEntry(person, describePerson(person))),
    uncleanPeople: Object.values(uncleanPeople).map(({ person, about }) => toPersonEntry(person, about)),
    employers: employers.map((employer) => ({
      title: employer.name,
      code: null,
      about: describeEmployer(employer),
      identifiers: listIdentifiers({ registration: employer.registration, rfc: employer.rfc }),
    })),
    failures: [...listFailures(), ...listPartialFailures()],
    credentials: sandboxCredentials.map(({ name, rfc, password, certificate, privateKey }) => ({
      name,
      rfc,
      password,
      certificate: certificate.toString('base64'),
      privateKey: privateKey.toString('base64'),
    })),
    examples: chooseExamples(now),
  };
}

function chooseExamples(now: Date) {
  const complete = people.filter(({ credit, account, licences, certificate, maternalSurname }) =>
    Boolean(credit && account && licences.length > 0 && certificate && maternalSurname),
  );
  const [person] = complete;
  const employer = employers.find(({ owes, linksInline }) => !owes && linksInline);
  const months = availablePeriods(now);
  const lastMonth = months.findLast((month) => employer !== undefined && findReceipts(employer, month, now).length > 0);
  return {
    nss: person?.nss,
    // No other example uses this person: its paid answers would be free for a while, and the operation within its budget.
    nssOverBudget: complete.at(-1)?.nss,
    curp: person?.curp,
    licence: person?.licences[0]?.number,
    certificate: person?.certificate?.folio,
    registration: employer?.registration,
    period: `${lastMonth?.slice(0, 4)}-${lastMonth?.slice(4)}`,
    receipt: employer && lastMonth && findReceipts(employer, lastMonth, now)[0]?.folio,
  };
}

function toPersonEntry(person: SandboxPerson, about: About) {
  const { names, paternalSurname, maternalSurname, nss, curp, replacedCurp, licences, certificate } = person;
  return {
    title: [names, paternalSurname, maternalSurname].filter(Boolean).join(' '),
    code: null,
    about,
    identifiers: [
      ...listIdentifiers({ nss, curp, replacedCurp }),
      ...licences.map(({ number }) => ({ name: 'number', value: number })),
      ...listIdentifiers({ folio: certificate?.folio }),
    ],
  };
}

function listFailures() {
  return testPersonas.map(({ failure, person, employer }) => ({
    title: null,
    code: failure,
    about: toDescription(failures.find(({ name }) => name === failure)),
    identifiers: listIdentifiers({
      nss: person.nss,
      curp: person.curp,
      number: person.licences[0]?.number,
      folio: person.certificate?.folio,
      paternalSurname: person.paternalSurname,
      registration: employer.registration,
      rfc: person.rfc,
    }).filter(({ value }) => cards.some((card) => card.failure === failure && card.value === value)),
  }));
}

function listPartialFailures() {
  return Object.values(partlyFailingEmployers).map(({ registration, obligatedSubjectId, name }) => {
    const card = cards.find(({ value }) => value === registration || value === obligatedSubjectId);
    return { title: name, code: null, about: toDescription(card), identifiers: listIdentifiers({ registration }) };
  });
}

function listIdentifiers(identifiers: Readonly<Record<string, string | undefined>>) {
  return Object.entries(identifiers).flatMap(([name, value]) => (value ? [{ name, value }] : []));
}

function toDescription(described: { readonly description: string; readonly spanish: string } | undefined) {
  return { english: described?.description ?? '', spanish: described?.spanish ?? '' };
}

function describePerson({ credit, account, licences, certificate, alive }: SandboxPerson) {
  const { length } = licences;
  const held: readonly (readonly [boolean, string, string])[] = [
    [Boolean(credit), 'a credit', 'un crédito'],
    [account !== null, 'a housing account', 'una subcuenta de vivienda'],
    [length === 1, 'a licence', 'una cédula'],
    [length > 1, `${length} licences`, `${length} cédulas`],
    [certificate !== null, 'a certificate', 'un certificado de estudios'],
    [!alive, 'a cancelled CURP', 'la CURP dada de baja'],
  ];
  const found = held.filter(([isHeld]) => isHeld);
  if (found.length === 0) return { english: 'has nothing', spanish: 'no tiene nada' };
  return {
    english: `has ${found.map(([, text]) => text).join(', ')}`,
    spanish: `tiene ${found.map(([, , text]) => text).join(', ')}`,
  };
}

function describeEmployer({ workers, owes }: Pick<SandboxEmployer, 'workers' | 'owes'>) {
  return {
    english: `${workers} workers${owes ? '; owes some months: its opinion is negative' : ''}`,
    spanish: `${workers} trabajadores${owes ? '; debe algunos meses: su opinión es negativa' : ''}`,
  };
}
