import { people } from '../../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../../support/find-or-throw';
import { lookup } from '../../../support/operations/lookup';
import { ACCOUNT, CREDIT } from '../../../support/operations/people-endpoints';
import { padronForTests } from '../../../support/padrons/padron-for-tests';

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

const padron = padronForTests();

describe('Person.credit', () => {
  it('finds a credit by NSS', async () => {
    const { data, errors } = await padron.ask(creditQuery, { nss: owner.nss });
    expect(errors).toBeUndefined();
    const { outcome, record, problems } = data.person.credit;
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
});
