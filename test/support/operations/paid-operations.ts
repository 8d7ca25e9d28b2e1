import fc from 'fast-check';
import { definiteEmployers, employerPart, failingEmployers, paying } from './employer-parts';
import type { Part } from './operation-part';
import { definite, documentPart, failing, knownPeople, personPart, strangers } from './person-parts';

/** Up to five parts, some of them twice: the same question under another alias. */
const operationOf = (...parts: readonly fc.Arbitrary<Part>[]) =>
  fc.array(fc.oneof(...parts), { minLength: 1, maxLength: 5 }).chain((chosen) =>
    fc.boolean().map((twice): Part => {
      const all = twice ? [...chosen, ...chosen.slice(0, 1)] : chosen;
      return {
        text: `{ ${all.map(({ text }, index) => `alias${index}: ${text}`).join('\n')} }`,
        direct: all.every(({ direct }) => direct),
        complete: all.every(({ complete }) => complete),
      };
    }),
  );

export const answeredOperations = operationOf(personPart(knownPeople), documentPart(knownPeople), employerPart(paying));

export const anyOperations = operationOf(
  personPart(knownPeople),
  personPart([...failing, ...strangers]),
  documentPart([...knownPeople, ...failing, ...strangers]),
  employerPart(paying),
  employerPart(failingEmployers),
);

/** Operations whose every question has an answer at once that is never retried: found, not found, or refused. */
export const definiteOperations = operationOf(
  personPart([...knownPeople, ...definite, ...strangers]),
  documentPart([...knownPeople, ...definite, ...strangers]),
  employerPart([...paying, ...definiteEmployers]),
);
