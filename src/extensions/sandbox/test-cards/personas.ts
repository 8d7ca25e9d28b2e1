import { makeEmployer, type SandboxEmployer } from '../data/employers';
import { makePerson, type SandboxPerson, womensNames } from '../data/people';
import { seededRandom } from '../data/random';
import { states } from '../data/states';
import { type Failure, failures } from './failures';

/** A test persona of a failure: a person with records in all registries, and the business in her name. */
export interface TestPersona {
  readonly failure: Failure;
  readonly person: SandboxPerson;
  readonly employer: SandboxEmployer;
}

const FIRST_PERSON = 1000;
const FIRST_EMPLOYER = 100;
const FIRST_PARTLY_FAILING = 200;

function makeTestPersona(failure: (typeof failures)[number], index: number): TestPersona {
  const random = seededRandom(`player ${failure.name}`);
  const person = makePerson({
    serial: FIRST_PERSON + index,
    names: random.pick(womensNames),
    paternalSurname: failure.surname,
    maternalSurname: 'TARJETA',
    birthDate: `19${random.integer(60, 95)}-0${random.integer(1, 9)}-${random.integer(10, 28)}`,
    sexLetter: 'M',
    state: random.pick(states),
    subDelegation: String(random.integer(10, 92)),
    credit: 'active',
    hasAccount: true,
    licences: 1,
    hasCertificate: true,
  });
  const name = `${person.names} ${person.paternalSurname} ${person.maternalSurname}`;
  const employer = makeEmployer({ serial: FIRST_EMPLOYER + index, name, owes: false, ownerRfc: person.rfc });
  return { failure: failure.name, person, employer };
}

export const testPersonas: readonly TestPersona[] = failures.map(makeTestPersona);

/** The failures of these employers are those of `partialFailureCards`. */
function makePartlyFailing(index: number, name: string): SandboxEmployer {
  return makeEmployer({ serial: FIRST_PARTLY_FAILING + index, name, owes: false });
}

export const partlyFailingEmployers = {
  june: makePartlyFailing(0, 'SERVICIOS JUNIO FALLIDO SA DE CV'),
  upstreamDownload: makePartlyFailing(1, 'SERVICIOS DESCARGA TROPEZADA SA DE CV'),
  filetypeDownload: makePartlyFailing(2, 'SERVICIOS DESCARGA ILEGIBLE SA DE CV'),
  inconsistentDownload: makePartlyFailing(3, 'SERVICIOS DESCARGA INCONSISTENTE SA DE CV'),
  snapshots: makePartlyFailing(4, 'SERVICIOS HISTORIAL AVERIADO SA DE CV'),
  obligatedSubject: makePartlyFailing(5, 'SERVICIOS SUJETO AVERIADO SA DE CV'),
  opinion: makePartlyFailing(6, 'SERVICIOS OPINIÓN AVERIADA SA DE CV'),
} as const;
