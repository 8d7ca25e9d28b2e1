import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInAccounts } from '../../sandbox/accounts/accounts';
import { employers } from '../../sandbox/data/employers';
import { people, type SandboxPerson } from '../../sandbox/data/people';
import { sandboxCredentials } from '../../sandbox/efirma/credentials';
import { cards } from '../../sandbox/test-cards/cards';
import { describeEmployer, describePerson } from '../../sandbox/test-cards/descriptions';
import { failures } from '../../sandbox/test-cards/failures';
import { partlyFailingEmployers, testPersonas } from '../../sandbox/test-cards/personas';
import type { GuideEntry, GuideText, SandboxGuide } from './settings';

const peopleFile = join(__dirname, '../..', '..', 'schema', 'examples', 'people.csv');

/** Returns the people, employers and test cards of the sandbox. */
export function createSandboxGuide(): SandboxGuide {
  return {
    tokens: builtInAccounts.map(({ token, name, spanish = name }) => ({ token, about: { english: name, spanish } })),
    people: people.map(toPersonEntry),
    employers: employers.map((employer) => ({
      title: employer.name,
      code: null,
      about: describeEmployer(employer),
      identifiers: listIdentifiers({ registration: employer.registration, rfc: employer.rfc }),
    })),
    failures: [...listFailures(), ...listPartialFailures()],
    peopleCsv: readFileSync(peopleFile, 'utf8'),
    credentials: sandboxCredentials.map(({ name, rfc, password, certificate, privateKey }) => ({
      name,
      rfc,
      password,
      certificate: certificate.toString('base64'),
      privateKey: privateKey.toString('base64'),
    })),
  };
}

function toPersonEntry(person: SandboxPerson): GuideEntry {
  const { names, paternalSurname, maternalSurname, nss, curp, licences, certificate } = person;
  return {
    title: [names, paternalSurname, maternalSurname].filter(Boolean).join(' '),
    code: null,
    about: describePerson(person),
    identifiers: [
      ...listIdentifiers({ nss, curp }),
      ...licences.map(({ number }) => ({ name: 'number', value: number })),
      ...listIdentifiers({ folio: certificate?.folio }),
    ],
  };
}

function listFailures(): readonly GuideEntry[] {
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

function listPartialFailures(): readonly GuideEntry[] {
  return Object.values(partlyFailingEmployers).map(({ registration, obligatedSubjectId, name }) => {
    const card = cards.find(({ value }) => value === registration || value === obligatedSubjectId);
    return { title: name, code: null, about: toDescription(card), identifiers: listIdentifiers({ registration }) };
  });
}

function listIdentifiers(identifiers: Readonly<Record<string, string | undefined>>): GuideEntry['identifiers'] {
  return Object.entries(identifiers).flatMap(([name, value]) => (value ? [{ name, value }] : []));
}

function toDescription(described: { readonly description: string; readonly spanish: string } | undefined): GuideText {
  return { english: described?.description ?? '', spanish: described?.spanish ?? '' };
}
