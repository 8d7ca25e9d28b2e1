import type { Failure } from '../../../../src/sandbox/test-cards/failures';
import { CREDIT, IDENTITY, SEARCH, STATUS } from '../../../support/operations/people-endpoints';
import { somebody } from '../../../support/operations/people-fields';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { withPadron } from '../../../support/padrons/with-padron';
import { card } from '../../../support/sandbox/cards';
import { unusedCurp, unusedNss } from '../../../support/sandbox/identifiers';
import { documentOf } from './person-document';

const { nss } = somebody;
const wrongNss = nss.slice(0, 10) + (9 - Number(nss.slice(10)));

const padron = padronForTests();

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
      licences: { ...notRun('name'), records: null, evidence: { endpoint: SEARCH, servedFrom: 'NOT_SENT', units: 0 } },
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
