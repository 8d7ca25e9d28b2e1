import { errorTexts, problemTexts } from '../../schema/client/code-texts';
import {
  CertificateCheckDocument,
  type EmployerYearQuery,
  EndpointPricesDocument,
} from '../../schema/client/generated/graphql';
import { isFound, isTrusted } from '../../schema/client/is-found';
import { priceOf } from '../../schema/client/price-of';
import { codeOfError, textOfError, textOfProblem } from '../../schema/client/texts';
import { padronStarter } from '../support/padrons/padron-for-tests';
import { freePort } from '../support/processes/free-port';
import { apolloClient, urqlClient, watchNetwork } from './clients';

type Employer = NonNullable<EmployerYearQuery['employer']>;

const proof = {
  __typename: 'ReceiptsLookup',
  evidence: { __typename: 'RegistryEvidence', validationCode: 'a', checkedAt: null, servedFrom: 'LIVE', units: 1 },
  problems: [],
} as const;
const about = { __typename: 'RegistryProblem', message: '', path: null, retryable: false } as const;
const receipt = { __typename: 'EmployerReceipt', folio: '1', paidOn: null, amount: '1.00', files: null } as const;
const month = { ...proof, period: '2025-03', count: 1, records: [receipt] };
const march: NonNullable<Employer['receiptsBetween']>[number] = { ...month, outcome: 'FOUND' };
const april: typeof march = { ...proof, outcome: 'UNAVAILABLE', period: '2025-04', count: null, records: null };

describe('isFound', () => {
  it('distinguishes FOUND from every other outcome, and from null', () => {
    const outcomes = ['NOT_FOUND', 'INVALID_INPUT', 'NOT_PERMITTED', 'UNAVAILABLE', 'NOT_RUN'] as const;
    expect(outcomes.map((outcome) => isFound({ ...april, outcome }))).toEqual(outcomes.map(() => false));
    expect([isFound(march), isFound(null), isFound(undefined)]).toEqual([true, false, false]);
  });

  it.each([
    ['ANSWER_MISMATCH', false],
    ['IDENTITY_CONFLICT', false],
    ['WRONG_CHECK_DIGIT', true],
    ['A_CODE_OF_TOMORROW', true],
  ])('of an answer with the problem %s is %s', (code, expected) => {
    const problems = [
      { code: 'WRONG_CHECK_DIGIT', ...about },
      { code, ...about },
    ];
    expect(isFound({ ...march, problems })).toBe(expected);
    expect(isTrusted({ problems })).toBe(expected);
  });

  it('is false for a list that cannot be read', () => {
    expect(isFound({ ...march, records: null })).toBe(false);
  });

  it('filters a list of months to those whose records can be read', () => {
    const folios: readonly (string | null)[] = [march, april]
      .filter(isFound)
      .flatMap((month) => month.records.map(({ folio }) => folio));
    expect(folios).toEqual(['1']);
  });
});

describe('the texts of problems', () => {
  it('fall back if the code is newer than the client', () => {
    expect(textOfProblem({ code: 'WRONG_PASSWORD' })).toBe('La contraseña es incorrecta.');
    expect(textOfProblem({ code: 'WRONG_PASSWORD' }, 'en')).toBe('The password is wrong.');
    expect(textOfProblem({ code: 'OF_NEXT_YEAR' }, 'en')).toBe('This could not be answered.');
    expect(textOfProblem({ code: 'toString', retryable: true }, 'es')).toMatch(/Inténtelo más tarde/);
  });
});

describe('the texts of GraphQL errors', () => {
  it('are those of the code, for every code', () => {
    for (const [code, text] of Object.entries({ ...problemTexts, ...errorTexts }))
      for (const language of ['en', 'es'] as const)
        expect(textOfError({ message: 'For developers.', extensions: { code } }, language)).toBe(text[language]);
  });

  it('fall back for a code that is newer than the client, and for an error without a code', () => {
    expect(textOfError({ extensions: { code: 'OF_NEXT_YEAR' } }, 'en')).toBe('This could not be answered.');
    expect(textOfError({ extensions: { code: 'toString' } }, 'en')).toBe('This could not be answered.');
    expect(textOfError({ message: 'An error of a router.', extensions: {} })).toBe('Esto no se pudo responder.');
    expect(textOfError(new TypeError('Failed to fetch'))).toMatch(/^No se pudo contactar al servicio\./);
    expect(textOfError(null)).toMatch(/^No se pudo contactar al servicio\./);
  });
});

type Ask = (url: string) => Promise<unknown>;
/** Returns the error that a component gets. */
const query = EndpointPricesDocument;
const rejectionOf = (answer: Promise<unknown>): Promise<unknown> => answer.catch((error: unknown) => error);
const clients: readonly (readonly [string, Ask])[] = [
  ['Apollo Client', (url) => rejectionOf(apolloClient(url, watchNetwork()).query({ query }))],
  ['urql', async (url) => (await urqlClient(url, watchNetwork()).query(query, {}).toPromise()).error],
  ['priceOf', (url) => rejectionOf(priceOf(query, {}, { url }))],
];

describe.each(clients)('the error of %s', (_name, ask) => {
  const start = padronStarter();

  it('has the code of an answer with another status than 200', async () => {
    const { url } = await start({ SUBGRAPH_SECRET: 'the-secret-of-the-router' });
    const error = await ask(url);
    expect([codeOfError(error), textOfError(error, 'es')]).toEqual(['FORBIDDEN', 'No tiene permiso para hacer esto.']);
  });

  it('has no code if nothing answers', async () => {
    const error = await ask(`http://127.0.0.1:${await freePort()}/graphql`);
    const text = 'The service cannot be reached. Please check your connection and try again.';
    expect([codeOfError(error), textOfError(error, 'en')]).toEqual([null, text]);
  });
});

describe('an operation that is answered with an error', () => {
  const start = padronStarter();

  it('has the code of the error on its field', async () => {
    const padron = await start();
    const licence = '{ professionalLicence(number: "10400074") { outcome } }';
    const { errors } = await padron.ask(licence, {}, { authorization: '' });
    expect(errors?.map((error) => textOfError(error, 'en'))).toEqual([errorTexts.UNAUTHENTICATED.en]);
    const variables = { folio: 7 as unknown as string };
    const asked = apolloClient(padron.url, watchNetwork()).query({ query: CertificateCheckDocument, variables });
    expect(codeOfError(await rejectionOf(asked))).toBe('BAD_USER_INPUT');
    expect(padron.calls()).toEqual([]);
  });
});
