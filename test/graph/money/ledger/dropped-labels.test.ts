import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../../support/find-or-throw';
import { signedBySecret } from '../../../support/keys/identity-provider';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT } from '../../../support/requests/batches';
import { engineRig } from '../../../support/stores/engines';

const { nss, curp, rfc } = findOrThrow(people, ({ credit }) => Boolean(credit));
const query = `query Labelled { person(nss: "${nss}") { credit { outcome } } }`;
const secret = 'a-secret-shared-with-the-identity-provider';
const read = '{ registryLedger(first: 1) { entries { client tag } } }';
type Headers = Readonly<Record<string, string>>;

describe('a label that the ledger cannot have', () => {
  const rig = engineRig();
  const padron = ledgerPadronForTests(rig, { REPLAY_SECONDS: '0' });
  const withPattern = ledgerPadronForTests(rig, {
    REPLAY_SECONDS: '0',
    TAG_PATTERN: 'CC-\\d{5}|[A-Z]{4}-?\\d{6}|.* .*',
  });
  const withJwt = ledgerPadronForTests(rig, { REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET: secret });

  /** Returns the header of the response, and the labels in the ledger. */
  const labelsOf = async (of: typeof padron, headers: Headers) => {
    const answer = await of.ask(query, {}, headers);
    expect(answer.data.person.credit.outcome).toBe('FOUND');
    const [entry] = (await of.ask(read)).data.registryLedger.entries;
    return [answer.headers['x-label-dropped'], entry.client, entry.tag];
  };
  const logged = (of: typeof padron) =>
    of.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('the ledger has no label'));

  it('is reported in the response, and once for each client in the log, without its value', async () => {
    const both = { 'x-tag': 'CC-10245', 'x-client-name': 'nomina-2026' };
    for (const _ of [1, 2]) expect(await labelsOf(padron, both)).toEqual(['x-client-name, x-tag', null, null]);
    const hr = { 'x-tag': 'CC-10246', 'x-client-name': 'hr' };
    for (const _ of [1, 2]) expect(await labelsOf(padron, hr)).toEqual(['x-tag', 'hr', null]);
    expect(logged(padron).map(({ header, client }) => [header, client])).toEqual([
      ['x-client-name', null],
      ['x-tag', null],
      ['x-tag', 'hr'],
    ]);
    expect(padron.log.join('\n')).not.toMatch(/1024|nomina/);
    expect(await labelsOf(padron, { 'x-tag': 'Q1', 'x-client-name': 'hr' })).toEqual([undefined, 'hr', 'Q1']);
    const web = await labelsOf(padron, { 'x-tag': '', 'apollographql-client-name': 'web' });
    expect(web).toEqual([undefined, 'web', null]);
  });

  it.each([
    ['CC-10245', true],
    ['ABCD-104500', true],
    ['Q1', false],
    ['CC-102456', false],
    ['x-client', false],
    [`nss ${nss}`, false],
    ['nss 0415 96 0026 3', false],
    [`rfc ${rfc}`, false],
    [`curp ${curp}`, false],
    ['mail juan@example.com', false],
    ['GARM960415', false],
    ['GARM-960415', false],
    ['a long name', true],
    [`too long ${'x'.repeat(60)}`, false],
  ])('is decided by TAG_PATTERN, but never is an identifier: %s', async (tag, isKept) => {
    const expected = isKept ? [undefined, null, tag] : ['x-tag', null, null];
    expect(await labelsOf(withPattern, { 'x-tag': tag })).toEqual(expected);
  });

  it('follows TAG_PATTERN in batches and budgets too, and not in clients', async () => {
    expect(await labelsOf(withPattern, { 'x-client-name': 'CC-10245' })).toEqual(['x-client-name', null, null]);
    const client = new BatchClient(withPattern);
    const create = (tag: string) => client.create({ operation: CREDIT, rows: [{ nss }], tag });
    expect((await create('CC-10245')).problems).toEqual([]);
    expect((await create('Q1')).problems).toMatchObject([
      { code: 'INVALID_FORMAT', path: ['input', 'tag'], message: expect.stringContaining('`CC-\\d{5}|') },
    ]);
  });

  it('is not reported for x-client-name if JWTs name the client', async () => {
    const token = signedBySecret(secret, { client_id: 'payroll-2026', scope: 'use_buscar_credito padron_ledger' });
    const authorization = `Bearer ${token}`;
    const labels = { 'x-client-name': 'nomina-2026', 'x-tag': 'CC-10245' };
    const { headers } = await withJwt.ask(query, {}, { authorization, ...labels });
    expect(headers['x-label-dropped']).toBe('x-tag');
    const { data } = await withJwt.ask(read, {}, { authorization });
    expect(data.registryLedger.entries).toEqual([{ client: 'payroll-2026', tag: null }]);
  });
});
