import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { people } from '../../src/sandbox/data/people';
import { findOrThrow } from '../support/find-or-throw';
import { keptPadron } from '../support/padrons/ledger';
import { engineRig, engines } from '../support/stores/engines';

const person = findOrThrow(people, ({ credit, licences }) => credit !== null && licences.length > 0);
const licence = findOrThrow(person.licences, () => true);
const planted = [person.nss, person.curp, person.rfc, person.names, person.paternalSurname, licence.number];

const query = `query Planted($nss: NSS!, $curp: CURP!, $name: PersonNameInput!, $number: LicenceNumber!) {
  person(nss: $nss, curp: $curp, name: $name) {
    credit { outcome record { names } } identity { outcome } licences { outcome }
  }
  professionalLicence(number: $number) { outcome }
}`;

/** All bytes below a folder, as text. */
const textBelow = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n');

describe.each(engines)('identifiers, with the ledger on the %s engine,', (engine) => {
  const rig = engineRig(engine);

  it('stand nowhere on disk, in no dump and no log', async () => {
    const kept = await keptPadron(rig);
    const padron = await kept.start();
    const { nss, curp, names, paternalSurname, maternalSurname } = person;
    const name = { names, paternalSurname, maternalSurname };
    const { errors, data } = await padron.ask(query, { nss, curp, name, number: licence.number });
    expect(errors).toBeUndefined();
    expect(data.person.credit.outcome).toBe('FOUND');
    const folder = kept.environment.DATA_DIR ?? '';
    // While it runs the journal holds its lines.
    const running = textBelow(folder);
    expect(running).toContain('"outcome":"FOUND"');
    await padron.stop();
    const dump = kept.store.kind === 'postgres' ? await rig.cluster.dump(kept.store.url) : '';
    const all = [running, textBelow(folder), dump, padron.log.join('\n')].join('\n');
    expect(all).toContain('buscar-credito');
    expect(planted.filter((text) => text.length > 3 && all.includes(text))).toEqual([]);
    const subjects = await kept.read((store) => store.query('SELECT DISTINCT kind FROM ledger_subjects ORDER BY kind'));
    expect(subjects).toEqual([{ kind: 'curp' }, { kind: 'licence' }, { kind: 'name' }, { kind: 'nss' }]);
  });
});
