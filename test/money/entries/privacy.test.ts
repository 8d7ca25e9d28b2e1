import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { preparePadron } from '../../support/padrons/ledger';
import { engineRig, engines } from '../../support/stores/engines';
import { dumpDatabase } from '../../support/stores/postgres';

const person = findOrThrow(people, ({ credit, licences }) => credit !== null && licences.length > 0);
const licence = findOrThrow(person.licences, () => true);
const planted = [person.nss, person.curp, person.rfc, person.names, person.paternalSurname, licence.number];

const query = `query Planted($nss: NSS!, $curp: CURP!, $name: PersonNameInput!, $number: LicenceNumber!) {
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

describe.each(engines)('the ledger on the %s engine', (engine) => {
  const rig = engineRig(engine);

  it('writes no identifier of a person to disk, to a dump or to the log', async () => {
    const prepared = await preparePadron(rig);
    const padron = await prepared.start();
    const { nss, curp, names, paternalSurname, maternalSurname } = person;
    const name = { names, paternalSurname, maternalSurname };
    const { errors, data } = await padron.ask(query, { nss, curp, name, number: licence.number });
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
    expect(subjects).toEqual([{ kind: 'curp' }, { kind: 'licence' }, { kind: 'name' }, { kind: 'nss' }]);
  });
});
