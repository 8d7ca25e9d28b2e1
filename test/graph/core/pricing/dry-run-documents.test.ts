import {
  base64Input,
  credentialOf,
  signatureForm,
  TODAY,
  VERIFY,
  verifyMutation,
} from '../../../support/keys/signatures';
import { payer } from '../../../support/operations/employer-graph';
import { somebody } from '../../../support/operations/people-fields';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { askPriced, callsBy, priceOf } from '../../../support/requests/money';
import { postForm } from '../../../support/requests/multipart';
import { unusedNss } from '../../../support/sandbox/identifiers';

const padron = padronForTests({ now: () => TODAY });
// A price is free whatever it is the price of.
afterEach(() => expect(padron.calls()).toEqual([]));

const { nss } = somebody;
const credits = (names: readonly string[]): string =>
  names.map((alias) => `${alias}: person(nss: "${nss}") { credit { outcome } }`).join(' ');

describe('the form of an operation', () => {
  const conditional = `query ($nss: NSS, $credit: Boolean!, $skip: Boolean!) { person(nss: $nss) {
    credit @include(if: $credit) { outcome } housingAccount @skip(if: $skip) { outcome }
    ... @include(if: $credit) { identity { outcome } } } }`;

  it.each([
    [true, false, 3],
    [true, true, 2],
    [false, false, 1],
    [false, true, 0],
  ])('is priced by @include(if: %s) and @skip(if: %s)', async (credit, skip, units) => {
    const estimate = await priceOf(padron, { query: conditional, variables: { nss, credit, skip } });
    expect(estimate.estimatedUnits).toBe(units);
  });

  it('is priced with fragments: named, nested, inline and on the interface of all lookups', async () => {
    const query = `query ($nss: NSS) { person(nss: $nss) { ...Profile ... on Person { credit { ...Answer } } } }
      fragment Profile on Person { ...Housing housingAccount { ...Answer } }
      fragment Housing on Person { credit { outcome } }
      fragment Answer on RegistryLookup { outcome evidence { units } ... on HousingCreditLookup { record { names } } }`;
    const estimate = await priceOf(padron, { query, variables: { nss } });
    expect(callsBy(estimate)).toEqual({ findCredit: 1, findHousingAccount: 1 });
  });

  it('counts the same question once under any aliases', async () => {
    const spelled = `${nss.slice(0, 4)}-${nss.slice(4)}`;
    const query = `{ ${credits(['a', 'b'])} c: person(nss: "${spelled}") { x: credit { outcome } y: credit { problems { code } } } }`;
    expect(callsBy(await priceOf(padron, { query }))).toEqual({ findCredit: 1 });
  });

  it('counts different arguments under aliases as different questions', async () => {
    const query = `{ employer(registration: "${payer.registration}") {
      a: receipts(period: "2026-01") { outcome } b: receipts(period: "2026-02") { outcome }
      c: complianceOpinion(kind: "1") { outcome } d: complianceOpinion(kind: "2") { outcome } } }`;
    expect(callsBy(await priceOf(padron, { query }))).toMatchObject({
      listReceipts: 2,
      issueOpinion: 2,
      listSnapshots: 1,
    });
  });

  it('is priced with the representations of a gateway, each entity once', async () => {
    const query = `query ($r: [_Any!]!) { _entities(representations: $r) {
      ... on Person { credit { outcome } } ... on Employer { snapshots { outcome } } } }`;
    const r = [
      { __typename: 'Person', nss },
      { __typename: 'Person', nss },
      { __typename: 'Person', nss: unusedNss },
      { __typename: 'Person', nss: 'nonsense' },
      { __typename: 'Employer', registration: payer.registration },
    ];
    expect(callsBy(await priceOf(padron, { query, variables: { r } }))).toEqual({ findCredit: 2, listSnapshots: 1 });
  });

  it('is priced by the selected operation', async () => {
    const query = `query One { ${credits(['a'])} } query None { registryEndpoints { units } }`;
    expect((await priceOf(padron, { query, operationName: 'One' })).estimatedUnits).toBe(1);
    expect((await priceOf(padron, { query, operationName: 'None' })).estimatedUnits).toBe(0);
  });

  it('costs nothing for input that would be rejected without a call', async () => {
    const query = `{ a: person(nss: "12345678901") { credit { outcome } identity { outcome } } b: person(curp: "X") { identity { outcome } }
      employer(registration: "Y6077636106") { snapshots { outcome } receiptsBetween(from: "2026-01", to: "2026-02") { outcome } }
      c: employer(registration: "${payer.registration}") { receiptsBetween(from: "2026-02", to: "2026-01") { outcome } complianceOpinion(rfc: "X") { outcome } }
      person { credit { outcome } } }`;
    expect(await priceOf(padron, { query })).toMatchObject({ endpoints: [], estimatedUnits: 0, invalidRows: 1 });
  });

  it('has no price if a variable is missing or of the wrong type', async () => {
    const query = 'query ($nss: NSS!) { person(nss: $nss) { credit { outcome } } }';
    for (const variables of [{}, { nss: 5 }])
      await expect(priceOf(padron, { query, variables })).rejects.toThrow(/expected NSS!, got (nothing|a number)/);
  });
});

describe('a signature', () => {
  const person = credentialOf('person');
  const twice = `mutation ($input: SignatureInput!) { a: verifySignature(input: $input) { outcome } b: verifySignature(input: $input) { outcome } }`;

  it('costs one unit each time, because it is never shared', async () => {
    const variables = { input: base64Input(person) };
    expect((await priceOf(padron, { query: verifyMutation, variables })).estimatedUnits).toBe(1);
    expect((await priceOf(padron, { query: twice, variables })).estimatedUnits).toBe(2);
  });

  it('costs nothing if the RFC is wrong', async () => {
    const variables = { input: { ...base64Input(person), rfc: 'NONSENSE' } };
    expect(await priceOf(padron, { query: verifyMutation, variables })).toMatchObject({
      estimatedUnits: 0,
      invalidRows: 1,
    });
  });

  it('can be priced by upload', async () => {
    const { status, data, headers } = await postForm(padron.url, signatureForm(person), { 'x-dry-run': 'true' });
    expect([status, data, headers['x-units-spent']]).toEqual([200, null, '0']);
  });

  it.each([
    ['by base64', () => padron.ask(verifyMutation, { input: base64Input(person) }, { 'x-max-units': '1' })],
    ['by upload', () => postForm(padron.url, signatureForm(person), { 'x-max-units': '1' })],
  ])('is verified after its price was estimated: %s', async (_way, send) => {
    const { data, errors, headers } = await send();
    expect(errors).toBeUndefined();
    expect(data.verifySignature).toMatchObject({ outcome: 'FOUND', valid: true });
    expect(headers['x-units-spent']).toBe('1');
    expect(padron.calls()).toEqual([VERIFY]);
  });

  it('reports its units like any other lookup', async () => {
    const { units } = await askPriced(padron, { query: verifyMutation, variables: { input: base64Input(person) } });
    expect(units).toMatchObject({ spent: 1, calls: [{ endpoint: VERIFY, outcome: 'FOUND', units: 1 }] });
    expect(padron.calls()).toEqual([VERIFY]);
  });
});
