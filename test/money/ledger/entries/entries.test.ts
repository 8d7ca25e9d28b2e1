import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { builtInAccounts, SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { startSandbox } from '../../../../src/extensions/sandbox/service';
import { SubjectIndex } from '../../../../src/money/ledger/entries/subject-index';
import { KeyRing } from '../../../../src/store/key-ring';
import { findOrThrow } from '../../../support/find-or-throw';
import { preparePadron } from '../../../support/padrons/ledger';
import { buildGraph } from '../../../support/padrons/whole-padron';
import { startProcess } from '../../../support/processes/process';
import { askPriced } from '../../../support/requests/money';
import { card } from '../../../support/sandbox/cards';
import { engineRig, engines } from '../../../support/stores/engines';
import { dumpDatabase } from '../../../support/stores/postgres';

const person = findOrThrow(people, ({ credit, licences }) => credit !== null && licences.length > 0);
const query = 'query Check($nss: NSS!) { person(nss: $nss) { credit { outcome evidence { validationCode units } } } }';
const otherToken = findOrThrow(builtInAccounts, ({ token }) => token !== SANDBOX_TOKEN).token;
const variables = { nss: person.nss };

const licence = findOrThrow(person.licences, () => true);
const planted = [person.nss, person.curp, person.rfc, person.names, person.paternalSurname, licence.number];

const plantedQuery = `query Planted($nss: NSS!, $curp: CURP!, $name: PersonNameInput!, $number: LicenceNumber!) {
  person(nss: $nss, curp: $curp, name: $name) {
    credit { outcome record { names } } identity { outcome } licences { outcome }
  }
  professionalLicence(number: $number) { outcome }
}`;

/** Returns the content of all files in a folder, as text. */
const textBelow = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n');

const lateQuery = 'query Late($nss: NSS!) { person(nss: $nss) { credit { outcome problems { code } } } }';
const lateRequest = { query: lateQuery, variables: { nss: card('slow', 'nss') } };

describe.each(engines)('the ledger on the %s engine', (engine) => {
  const rig = engineRig(engine);

  it('gives an account the same name after a restart, and different accounts different names', async () => {
    const prepared = await preparePadron(rig);
    const service = await startSandbox();
    for (const token of [SANDBOX_TOKEN, SANDBOX_TOKEN, otherToken]) {
      const padron = await prepared.start({ registryUrl: () => service.url });
      await padron.ask(query, variables, { authorization: `Bearer ${token}` });
      await padron.ask(query, variables, { authorization: `Bearer ${token}`, 'x-sandbox': 'true' });
      await padron.stop();
    }
    await service.close();
    const [live, sandbox, liveAgain, sandboxAgain, ...others] = (await prepared.rows()).map(({ account }) => account);
    expect([liveAgain, sandboxAgain]).toEqual([live, sandbox]);
    expect(new Set([live, sandbox, ...others]).size).toBe(4);
  });

  it('does not record questions that were not sent', async () => {
    const prepared = await preparePadron(rig);
    const padron = await prepared.start();
    await padron.ask(query, { nss: '11111111111' });
    await padron.ask(query, variables, { 'x-max-units': '0' });
    await padron.ask(query, variables, { authorization: 'Bearer unknown' });
    await padron.ask(query, variables, { 'x-dry-run': 'true' });
    await padron.stop();
    expect(await prepared.rows()).toEqual([]);
  });

  it('drops labels that look like an identifier', async () => {
    const prepared = await preparePadron(rig);
    const padron = await prepared.start();
    await padron.ask(query.replace('Check', `Check${person.nss}`), variables, {
      'apollographql-client-name': person.curp,
      'x-tag': person.nss,
    });
    await padron.stop();
    expect(await prepared.rows()).toMatchObject([{ client: null, tag: null, operation: null }]);
  });

  it('writes no identifier of a person to disk, to a dump or to the log', async () => {
    const prepared = await preparePadron(rig);
    const padron = await prepared.start();
    const { nss, curp, names, paternalSurname, maternalSurname } = person;
    const name = { names, paternalSurname, maternalSurname };
    const { errors, data } = await padron.ask(plantedQuery, { nss, curp, name, number: licence.number });
    expect(errors).toBeUndefined();
    expect(data.person.credit.outcome).toBe('FOUND');
    await padron.stop();
    const { store, environment } = prepared;
    const stored = store.kind === 'postgres' ? await dumpDatabase(store.url) : textBelow(environment.DATA_DIR ?? '');
    const all = [stored, padron.log.join('\n')].join('\n');
    expect(all).toContain('buscar-credito');
    expect(planted.filter((text) => text.length > 3 && all.includes(text))).toEqual([]);
    const subjects = await prepared.read((store) =>
      store.query('SELECT DISTINCT kind FROM ledger_subjects ORDER BY kind'),
    );
    expect(subjects).toEqual(['answer', 'curp', 'licence', 'name', 'nss'].map((kind) => ({ kind })));
  });

  describe('of a call that continues after its response', () => {
    it('has one entry with its final outcome, also if the process is terminated meanwhile', async () => {
      const prepared = await preparePadron(rig, { REPLAY_SECONDS: '30' });
      const sandbox = await startSandbox({ slowMs: 2_000 });
      rig.atEnd(() => sandbox.close());
      const padron = startProcess({ PORT: '0', REGISTRY_URL: sandbox.url, ...prepared.environment });
      const url = await padron.address();
      const { data, units } = await askPriced({ url }, lateRequest, { 'x-answer-within': '1s' });
      expect(data.person.credit).toEqual({ outcome: 'UNAVAILABLE', problems: [{ code: 'STILL_RUNNING' }] });
      expect(units).toMatchObject({ spent: 0, uncertain: 1 });
      padron.child.kill('SIGTERM');
      expect(await padron.ended()).toBe(0);
      const rows = await prepared.rows();
      expect(
        rows.map(({ outcome, billing, units: charged, operation }) => [outcome, billing, charged, operation]),
      ).toEqual([['FOUND', 'CHARGED', 1, 'Late']]);
    });

    it('has a second entry for the replay, which is free', async () => {
      const prepared = await preparePadron(rig, { REPLAY_SECONDS: '30' });
      const padron = await prepared.start({ sandbox: { slowMs: 2_000 } });
      await askPriced(padron, lateRequest, { 'x-answer-within': '1s' });
      const { data } = await askPriced(padron, lateRequest, { 'x-answer-within': '20s' });
      expect(data.person.credit.outcome).toBe('FOUND');
      await padron.stop();
      const rows = await prepared.rows();
      expect(rows.map(({ served_from, units: charged }) => [served_from, charged])).toEqual([
        ['LIVE', 1],
        ['REPLAY', 0],
      ]);
      expect(padron.spent()).toBe(1);
    });
  });
});

const older = 'o'.repeat(32);
const newer = 'n'.repeat(32);

describe('the subjects of an entry', () => {
  it('are declared by every endpoint that costs units', () => {
    const endpoints = buildGraph({ scopes: false }).catalogue.map(({ endpoint }) => endpoint);
    expect(endpoints.length).toBeGreaterThan(10);
    expect(endpoints.filter(({ units, subjects }) => units > 0 && subjects === undefined)).toEqual([]);
  });

  const index = new SubjectIndex(new KeyRing([newer]));

  it.each([
    ['nss', '04159600263', '4159600263'],
    ['curp', 'goba850101hdfmrn09', ' GOBA850101HDFMRN09 '],
    ['registration', 'A12-34567-89-0', 'a1234567890'],
    ['licence', '0012345', '12345'],
    ['name', 'José|Muñoz|', 'JOSE|MUNOZ|'],
    ['reference', 'José-1', 'JOSÉ-1'],
    ['actor', 'Ana@Empresa.mx', 'ana@empresa.mx'],
  ] as const)('have the same hash in every spelling: %s', (kind, left, right) => {
    expect(index.hash({ kind, value: left })).toBe(index.hash({ kind, value: right }));
  });

  it('keep the case of an actor that is not an e-mail address', () => {
    expect(index.hash({ kind: 'actor', value: 'aB3' })).not.toBe(index.hash({ kind: 'actor', value: 'ab3' }));
  });

  it('have different hashes if their kinds differ', () => {
    expect(index.hash({ kind: 'licence', value: '12345' })).not.toBe(index.hash({ kind: 'nss', value: '12345' }));
  });

  it('are hashed under the newest key, and found under all keys', () => {
    const subject = { kind: 'nss', value: '04159600263' } as const;
    const before = new SubjectIndex(new KeyRing([older])).hash(subject);
    const rotated = new SubjectIndex(new KeyRing([newer, older]));
    expect(rotated.hashes(subject)).toEqual([index.hash(subject), before]);
    expect(rotated.hash(subject)).toBe(index.hash(subject));
  });
});
