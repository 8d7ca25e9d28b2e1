import { registerEnumType } from 'type-graphql';
import { type ProblemCode, problemCodes } from '../../../registry/answer/problem';

const codes = Object.keys(problemCodes) as readonly ProblemCode[];

export const ProblemCodes = Object.fromEntries(codes.map((code) => [code, code])) as Readonly<
  Record<ProblemCode, ProblemCode>
>;

registerEnumType(ProblemCodes, {
  name: 'ProblemCode',
  description:
    'Code of a problem or a warning. The error reference says for each code whether it is charged and what to do. Later versions add codes: a client should handle an unknown code by `retryable` and `message`.',
  valuesConfig: Object.fromEntries(codes.map((code) => [code, { description: problemCodes[code].message }])),
});
