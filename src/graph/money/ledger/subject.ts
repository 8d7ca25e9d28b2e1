import { GraphQLError } from 'graphql';
import { checkCertificateFolio, checkLicenceNumber } from '../../../identifiers/document';
import { checkEmployerRegistration, checkRfc } from '../../../identifiers/employer';
import { cleanName } from '../../../identifiers/normalise';
import { checkCurp, checkName, checkNss } from '../../../identifiers/person';
import type { RuleViolation } from '../../../identifiers/violation';
import { type Subject, type SubjectKind, subjectByName } from '../../../registry/endpoint/endpoint';
import type { Context } from '../../core/context';
import { isInvalid, validate } from '../../core/lookup/input';
import type { RegistrySubjectInput } from './inputs';

type Rule = (value: string) => RuleViolation | null;
type PlainKind = Exclude<SubjectKind, 'name'>;

const rules: Readonly<Record<PlainKind, Rule>> = {
  nss: checkNss,
  curp: checkCurp,
  rfc: checkRfc,
  registration: checkEmployerRegistration,
  licence: checkLicenceNumber,
  certificate: checkCertificateFolio,
};
const plainKinds = Object.keys(rules) as readonly PlainKind[];

export function readSubject(context: Context, input: RegistrySubjectInput): readonly Subject[] {
  const plain = plainKinds.flatMap((kind) => {
    const value = input[kind] ?? null;
    return value === null ? [] : [{ kind, value: checked(context, value, rules[kind], kind) }];
  });
  const name = input.name ?? null;
  const subjects = name === null ? plain : [...plain, readName(context, name)];
  if (subjects.length > 0) return subjects;
  throw invalidSubject('`subject` is empty. Give at least one identifier.');
}

/** Returns a name as the search of licences uses it. A name with and one without a second surname are different subjects. */
function readName(context: Context, name: NonNullable<RegistrySubjectInput['name']>): Subject {
  const part = (value: string, field: string): string => checked(context, cleanName(value), checkName, `name.${field}`);
  const maternal = cleanName(name.maternalSurname ?? '');
  return subjectByName(
    part(name.names, 'names'),
    part(name.paternalSurname, 'paternalSurname'),
    maternal === '' ? null : part(maternal, 'maternalSurname'),
  );
}

/** Returns a valid value. Throws an error that describes the rule and never contains the value. */
function checked(context: Context, value: string, rule: Rule, place: string): string {
  const input = validate(context, value, rule, [place]);
  if (!isInvalid(input)) return input.value;
  throw invalidSubject(`\`subject.${place}\` is invalid. ${input.problems[0]?.message ?? ''}`);
}

function invalidSubject(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });
}
