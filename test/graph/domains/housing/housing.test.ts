import { UNPERMITTED_TOKEN } from '../../../../src/sandbox/accounts/accounts';
import { people } from '../../../../src/sandbox/data/people';
import type { Failure } from '../../../../src/sandbox/test-cards/failures';
import { findOrThrow } from '../../../support/find-or-throw';
import { ACCOUNT, CREDIT } from '../../../support/operations/people-endpoints';
import { type RunningPadron, runPadron } from '../../../support/padrons/padron';
import { card } from '../../../support/sandbox/cards';
import { unusedNss } from '../../../support/sandbox/identifiers';

const lookup =
  'outcome evidence { validationCode endpoint status message checkedAt servedFrom units billing } problems { code message path retryable retryAfter }';
const creditQuery = `query ($nss: NSS) { person(nss: $nss) { nss credit { ${lookup} record {
  nss hasCredit status situation number currency kind regime pool monthsWithoutContribution product names paternalSurname
  maternalSurname openedOn closedOn email mobilePhone rfc curp } } } }`;
const accountQuery = `query ($nss: NSS) { person(nss: $nss) { housingAccount { ${lookup} record {
  nss totalBalance previousBalance balance92 balance97 bimester paidOn employerName contribution } } } }`;

const owner = findOrThrow(people, ({ credit, nss }) => credit !== null && credit !== '' && !nss.startsWith('0'));
const zeros = findOrThrow(
  people,
  ({ nss, account, credit }) => nss.startsWith('0') && account !== null && credit !== null && credit !== '',
);

describe('the housing fund', () => {
  let padron: RunningPadron;
  beforeAll(async () => {
    padron = await runPadron();
  });
  afterAll(() => padron.stop());
  beforeEach(() => void padron.calls());

  describe('Person.credit', () => {
    it('finds a credit by NSS, with the proof of the answer', async () => {
      const { data, errors } = await padron.ask(creditQuery, { nss: owner.nss });
      expect(errors).toBeUndefined();
      const { outcome, record, evidence, problems } = data.person.credit;
      expect({ outcome, problems }).toEqual({ outcome: 'FOUND', problems: [] });
      expect(record).toMatchObject({
        nss: owner.nss,
        hasCredit: true,
        status: 'AC',
        names: owner.names,
        paternalSurname: owner.paternalSurname,
        curp: owner.curp,
        rfc: owner.rfc,
      });
      expect(evidence).toMatchObject({
        endpoint: CREDIT,
        status: 200,
        servedFrom: 'LIVE',
        units: 1,
        billing: 'CHARGED',
      });
      expect(evidence.validationCode).toMatch(/^[A-Za-z0-9]{20}$/);
      expect(evidence.checkedAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
      expect(padron.calls()).toEqual([CREDIT]);
    });

    it('restores the leading zeros of an NSS, which the service returns as an integer', async () => {
      const { data } = await padron.ask(creditQuery, { nss: zeros.nss });
      expect(data.person.credit.record.nss).toBe(zeros.nss);
      expect(padron.callsInFull()[0]?.input).toEqual({ nss: zeros.nss.replace(/^0+/, '') });
    });

    it.each([[null], ['']])('reports no credit if the status is %j', async (credit) => {
      const person = findOrThrow(people, (someone) => someone.credit === credit);
      const { data } = await padron.ask(creditQuery, { nss: person.nss });
      expect(data.person.credit).toMatchObject({ outcome: 'FOUND', record: { hasCredit: false, status: null } });
    });

    it('reads compact dates, and no closing date while the credit is active', async () => {
      const { data } = await padron.ask(creditQuery, { nss: owner.nss });
      expect(data.person.credit.record.openedOn).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(data.person.credit.record.closedOn).toBeNull();
    });

    it('accepts blanks and dashes in an NSS', async () => {
      const { nss } = owner;
      const { data } = await padron.ask(creditQuery, { nss: ` ${nss.slice(0, 2)}-${nss.slice(2, 6)} ${nss.slice(6)}` });
      expect(data.person.nss).toBe(nss);
      expect(data.person.credit.outcome).toBe('FOUND');
    });

    it('reports NOT_FOUND as a paid answer with its own proof', async () => {
      const { data } = await padron.ask(creditQuery, { nss: unusedNss });
      expect(data.person.credit).toMatchObject({
        outcome: 'NOT_FOUND',
        record: null,
        problems: [],
        evidence: { status: 404, billing: 'CHARGED', units: 1, validationCode: expect.stringMatching(/^\w{20}$/) },
      });
      expect(padron.calls()).toEqual([CREDIT]);
    });

    it.each([
      ['1234567890', 'INVALID_FORMAT'],
      ['no number', 'INVALID_FORMAT'],
      ['12345678901', 'WRONG_CHECK_DIGIT'],
    ])('rejects the NSS %s without a call', async (nss, code) => {
      const { data, errors } = await padron.ask(creditQuery, { nss });
      expect(errors).toBeUndefined();
      expect(data.person.credit).toMatchObject({
        outcome: 'INVALID_INPUT',
        record: null,
        problems: [{ code, path: ['nss'], retryable: false }],
        evidence: { servedFrom: 'NOT_SENT', billing: 'NOT_CHARGED', units: 0, validationCode: null, checkedAt: null },
      });
      expect(padron.calls()).toEqual([]);
    });

    it('makes no call without an NSS', async () => {
      const { data } = await padron.ask('{ person { credit { outcome problems { code path } } } }');
      expect(data.person.credit).toEqual({
        outcome: 'NOT_RUN',
        problems: [{ code: 'MISSING_IDENTIFIER', path: ['nss'] }],
      });
      expect(padron.calls()).toEqual([]);
    });

    it('names the permission that the account lacks', async () => {
      const { data } = await padron.ask(
        creditQuery,
        { nss: owner.nss },
        { authorization: `Bearer ${UNPERMITTED_TOKEN}` },
      );
      expect(data.person.credit).toMatchObject({
        outcome: 'NOT_PERMITTED',
        problems: [{ code: 'MISSING_PERMISSION', message: expect.stringContaining('use_buscar_credito') }],
        evidence: { status: 403, billing: 'NOT_CHARGED', units: 0 },
      });
    });

    it.each<[Failure, string, string, string]>([
      ['bad-request', 'INVALID_INPUT', 'REJECTED_BY_REGISTRY', 'NOT_CHARGED'],
      ['unprocessable', 'INVALID_INPUT', 'REJECTED_BY_REGISTRY', 'NOT_CHARGED'],
      ['unprocessable-receipts', 'INVALID_INPUT', 'REJECTED_BY_REGISTRY', 'NOT_CHARGED'],
      ['IMSS_SESSION_REQUIRED', 'UNAVAILABLE', 'IMSS_SESSION_REQUIRED', 'NOT_CHARGED'],
      ['server-error', 'UNAVAILABLE', 'REGISTRY_ERROR', 'UNKNOWN'],
      ['unavailable', 'UNAVAILABLE', 'REGISTRY_ERROR', 'UNKNOWN'],
      ['html', 'UNAVAILABLE', 'UNUSABLE_ANSWER', 'UNKNOWN'],
    ])('reports a service that answers «%s» as %s, %s', async (failure, outcome, code, billing) => {
      const { data, errors } = await padron.ask(creditQuery, { nss: card(failure, 'nss') });
      expect(errors).toBeUndefined();
      expect(data.person.credit).toMatchObject({ outcome, record: null, problems: [{ code }], evidence: { billing } });
      expect(padron.calls()).toEqual([CREDIT]);
    });

    it("points to the argument that the registry rejected, with the registry's message", async () => {
      const { data } = await padron.ask(creditQuery, { nss: card('bad-request', 'nss') });
      expect(data.person.credit.problems[0]).toMatchObject({ path: ['nss'], message: expect.stringMatching(/\w/) });
    });

    it('keeps an answer about another person, with a warning', async () => {
      const { data } = await padron.ask(creditQuery, { nss: card('somebody-else', 'nss') });
      expect(data.person.credit).toMatchObject({ outcome: 'FOUND', problems: [{ code: 'ANSWER_MISMATCH' }] });
      expect(data.person.credit.record).not.toBeNull();
    });

    it('spends no units in sandbox mode, and reports it', async () => {
      const before = padron.spent();
      const { data } = await padron.ask(creditQuery, { nss: owner.nss }, { 'x-sandbox': 'true' });
      expect(data.person.credit.evidence).toMatchObject({ servedFrom: 'SANDBOX', units: 0, billing: 'NOT_CHARGED' });
      expect(padron.spent()).toBe(before);
    });
  });

  describe('Person.housingAccount', () => {
    it('reads balances as exact decimals, whatever their JSON type', async () => {
      const { data } = await padron.ask(accountQuery, { nss: zeros.nss });
      const { outcome, record } = data.person.housingAccount;
      expect(outcome).toBe('FOUND');
      expect(record.nss).toBe(zeros.nss);
      for (const balance of ['totalBalance', 'previousBalance', 'balance92', 'balance97', 'contribution']) {
        expect(record[balance]).toMatch(/^-?\d+(\.\d+)?$/);
      }
      expect(padron.calls()).toEqual([ACCOUNT]);
    });

    it.each<[Failure, string, string]>([
      ['server-error', 'UNAVAILABLE', 'REGISTRY_ERROR'],
      ['forbidden', 'NOT_PERMITTED', 'MISSING_PERMISSION'],
      ['bad-request', 'INVALID_INPUT', 'REJECTED_BY_REGISTRY'],
      ['IMSS_SESSION_EXPIRED', 'UNAVAILABLE', 'IMSS_SESSION_EXPIRED'],
    ])('reports a service that answers «%s» as %s', async (failure, outcome, code) => {
      const { data } = await padron.ask(accountQuery, { nss: card(failure, 'nss') });
      expect(data.person.housingAccount).toMatchObject({ outcome, record: null, problems: [{ code }] });
      expect(padron.calls()).toEqual([ACCOUNT]);
    });

    it('gives NOT_FOUND for an NSS that the fund does not know', async () => {
      const { data } = await padron.ask(accountQuery, { nss: unusedNss });
      expect(data.person.housingAccount).toMatchObject({ outcome: 'NOT_FOUND', record: null });
    });
  });

  describe('a lookup that fails', () => {
    it('does not affect the lookup of another person', async () => {
      const nss = card('html', 'nss');
      const { data } = await padron.ask(
        'query ($bad: NSS, $good: NSS) { bad: person(nss: $bad) { credit { outcome } } good: person(nss: $good) { credit { outcome } } }',
        { bad: nss, good: owner.nss },
      );
      expect(data).toEqual({ bad: { credit: { outcome: 'UNAVAILABLE' } }, good: { credit: { outcome: 'FOUND' } } });
    });
  });
});
