import fc from 'fast-check';
import type { SandboxPerson } from '../../../../src/sandbox/data/people';
import { claudia, nameOf, uriel } from '../../../support/operations/mixed-people';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { askPriced, priceOf } from '../../../support/requests/money';

const lookups = ['credit', 'housingAccount', 'identity', 'licences', 'professionalStatus'] as const;
const selected = 'outcome problems { code path message }';
const consistency = 'consistency { status fields { field provided agree differ silent } }';

const personBy: Readonly<Record<string, SandboxPerson>> = { uriel, claudia };
const owner = fc.constantFrom('uriel', 'claudia', 'nobody');
const question = fc.record({
  owners: fc.record({ nss: owner, curp: owner, name: owner }),
  fields: fc.shuffledSubarray([...lookups, 'consistency'], { minLength: 1 }),
});

const padron = padronForTests();

describe('a person by identifiers of different people', () => {
  it('costs at most the estimate, and is never CONSISTENT if the identifiers are mixed', () =>
    fc.assert(
      fc.asyncProperty(question, async ({ owners, fields }) => {
        const [nss, curp, name] = [owners.nss, owners.curp, owners.name].map((key) => personBy[key] ?? null);
        const body = {
          query: `query ($nss: NSS, $curp: CURP, $name: PersonNameInput) { person(nss: $nss, curp: $curp, name: $name) {
            ${fields.map((field) => (field === 'consistency' ? consistency : `${field} { ${selected} }`)).join(' ')} } }`,
          variables: { nss: nss?.nss ?? null, curp: curp?.curp ?? null, name: name ? nameOf(name) : null },
        };
        const { estimatedUnits } = await priceOf(padron, body);
        const answer = await askPriced(padron, body);
        expect(answer.units?.spent ?? 0).toBeLessThanOrEqual(estimatedUnits);
        const people = new Set(Object.values(owners).filter((key) => key !== 'nobody'));
        const { consistency: judged, ...answered } = answer.data.person;
        if (people.size > 1) expect(judged?.status).not.toBe('CONSISTENT');
        if (people.size > 1) return;
        expect(judged?.status).not.toBe('CONFLICTING');
        expect(JSON.stringify(answered)).not.toContain('IDENTITY_CONFLICT');
      }),
      { numRuns: 60 },
    ));
});
