import { registerEnumType } from 'type-graphql';
import { type ProblemCode, problemCodes } from '../../registry/answer/problem';

const codes = Object.keys(problemCodes) as readonly ProblemCode[];

/** The codes as a type of the graph, made of the table: a code that is added there is one here. */
export const ProblemCodes = Object.fromEntries(codes.map((code) => [code, code])) as Readonly<
  Record<ProblemCode, ProblemCode>
>;

registerEnumType(ProblemCodes, {
  name: 'ProblemCode',
  description:
    'What is wrong, or what to mind. The error reference says of each who is charged and what to do. Later versions add codes: let a client treat one that it does not know by `retryable` and `message`.',
  valuesConfig: Object.fromEntries(codes.map((code) => [code, { description: problemCodes[code].message }])),
});
