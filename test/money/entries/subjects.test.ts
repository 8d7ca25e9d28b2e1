import { SubjectIndex } from '../../../src/money/entries/subject-index';
import { KeyRing } from '../../../src/store/key-ring';
import { buildGraph } from '../../support/padrons/whole-padron';

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
