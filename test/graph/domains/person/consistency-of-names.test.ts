import 'reflect-metadata';
import type { Statement } from '../../../../src/graph/domains/person/collector';
import {
  checkConsistency,
  findContradictions,
  type IdentityKey,
} from '../../../../src/graph/domains/person/consistency';
import { compareCurps, toFacts } from '../../../../src/graph/domains/person/facts';
import type { IdentityRegistry, PersonTexts } from '../../../../src/registry/endpoint/person';
import { claudia, uriel } from '../../../support/operations/mixed-people';
import { slowness } from '../../../support/processor-time';

const statement = (registry: IdentityRegistry, texts: PersonTexts, ...echoes: Statement['echoes']): Statement => ({
  registry,
  echoes,
  isMismatch: false,
  facts: toFacts(texts),
});
const named = (names: string, maternalSurname: string | null = 'LÓPEZ') => ({
  names,
  paternalSurname: 'HERNÁNDEZ',
  maternalSurname,
});
const check = (caller: PersonTexts, keys: readonly IdentityKey[], statements: readonly Statement[]) => {
  const findings = {
    registries: new Set(statements.map(({ registry }) => registry)),
    statements,
    answers: [],
    isComplete: true,
  };
  const provided = toFacts(caller);
  return { ...checkConsistency(keys, provided, findings), contradictions: findContradictions(provided, findings) };
};
const all: readonly IdentityKey[] = ['NSS', 'CURP', 'NAMES'];

describe('the consistency of names', () => {
  it('is CONFLICTING for two brothers whose names are both written for the given one', () => {
    const answers = [
      statement('HOUSING_FUND', { nss: uriel.nss, ...named('JUAN CARLOS') }, 'NSS'),
      statement('POPULATION_REGISTRY', { curp: uriel.curp, ...named('JUAN LUIS') }, 'CURP'),
      statement('EDUCATION_MINISTRY', { curp: uriel.curp, ...named('JUAN') }, 'NAMES'),
    ];
    const { status, contradictions } = check({ nss: uriel.nss, curp: uriel.curp, ...named('JUAN') }, all, answers);
    expect([status, contradictions]).toEqual(['CONFLICTING', ['NAMES']]);
  });

  it('is INSUFFICIENT if only a name that is written differently connects the NSS', () => {
    const answers = [
      statement('HOUSING_FUND', { nss: uriel.nss, ...named('JUAN', null) }, 'NSS'),
      statement('EDUCATION_MINISTRY', { curp: uriel.curp, ...named('JUAN') }, 'NAMES'),
    ];
    const provided = { nss: uriel.nss, curp: uriel.curp, ...named('JUAN') };
    expect(check(provided, all, answers)).toMatchObject({ status: 'INSUFFICIENT', contradictions: [] });
    const withCurp = [
      statement('HOUSING_FUND', { nss: uriel.nss, curp: uriel.curp, ...named('JUAN', null) }, 'NSS'),
      ...answers.slice(1),
    ];
    expect(check(provided, all, withCurp)).toMatchObject({ status: 'CONSISTENT', contradictions: [] });
  });

  it('compares a thousand records of people with one name as quickly as it reads them', () => {
    const curpOf = (index: number): string =>
      `GUMU960419HSRT${'BCDFGHJKLM'[index % 10]}${'BCDFGHJKLM'[Math.floor(index / 10) % 10]}`;
    const answers = Array.from({ length: 1_000 }, (_, index) =>
      statement('EDUCATION_MINISTRY', {
        curp: `${curpOf(index).slice(0, 16)}${Math.floor(index / 100)}0`,
        ...named(index % 2 === 0 ? 'JUAN' : 'Juan'),
      }),
    );
    const before = process.cpuUsage();
    const { status } = check(named('JUAN'), ['NAMES'], answers);
    const { user } = process.cpuUsage(before);
    expect(status).toBe('CONFLICTING');
    // It took twenty seconds when each was compared with each.
    expect(user / 1e6).toBeLessThan(5 * slowness());
  });
});

describe('two texts of CURPs', () => {
  it.each([
    ['one CURP', uriel.curp, uriel.curp, 'SAME'],
    ['another check digit', uriel.curp, `${uriel.curp.slice(0, 17)}${(Number(uriel.curp[17]) + 1) % 10}`, 'SAME'],
    ['those of two people', uriel.curp, claudia.curp, 'DIFFERENT'],
    ['a text that is none', 'S/C', uriel.curp, null],
    ['the same text that is none', '0', '0', null],
    ['a generic one of foreigners', 'XEXX010101HNEXXXA4', 'XEXX010101HNEXXXA4', null],
  ])('decide only if both are CURPs: %s', (_, left, right, likeness) => {
    expect(compareCurps(left, right, new Map())).toBe(likeness);
  });
});
