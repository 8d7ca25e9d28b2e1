import { isCurp, isNss, isRegistration, isRfc } from '../data/identifiers';
import type { FieldErrors } from './responses';
import type { Field } from './route';

type CheckedInput =
  | { readonly values: Readonly<Record<string, string>> }
  | { readonly missing: FieldErrors }
  | { readonly invalid: FieldErrors };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function makeRule(holds: (value: string) => boolean, message: string): (value: string) => string | undefined {
  return (value) => (holds(value) ? undefined : message);
}

function makeRange(min: number, max: number, name: string): (value: string) => string | undefined {
  return makeRule(
    (value) => Number(value) >= min && Number(value) <= max,
    `El campo ${name} debe estar entre ${min} y ${max}.`,
  );
}

/** Inputs of all endpoints, with the names and rules of the interface. */
export const fields = {
  nss: {
    name: 'nss',
    type: 'integer',
    required: true,
    identifier: 'nss',
    validate: makeRule((value) => isNss(value.padStart(11, '0')), 'El NSS no es válido.'),
  },
  cedula: {
    name: 'cedula',
    type: 'integer',
    required: true,
    identifier: 'licence',
    validate: makeRule((value) => /^\d{1,12}$/.test(value), 'La cédula no es válida.'),
  },
  nombres: { name: 'nombres', type: 'text', required: true },
  paterno: { name: 'paterno', type: 'text', required: true, identifier: 'surname' },
  materno: { name: 'materno', type: 'text', required: false },
  folio: {
    name: 'folio',
    type: 'text',
    required: true,
    identifier: 'folio',
    validate: makeRule((value) => UUID.test(value), 'El folio no es válido.'),
  },
  curp: {
    name: 'curp',
    type: 'text',
    required: true,
    identifier: 'curp',
    validate: makeRule((value) => isCurp(value.toUpperCase()), 'La CURP no es válida.'),
  },
  userId: { name: 'userId', type: 'text', required: true, identifier: 'rfc' },
  password: { name: 'password', type: 'text', required: true },
  certificate: { name: 'certificate', type: 'file', required: true },
  privateKey: { name: 'privateKey', type: 'file', required: true },
  registro_patronal: {
    name: 'registro_patronal',
    type: 'text',
    required: true,
    identifier: 'registration',
    validate: makeRule((value) => isRegistration(value.toUpperCase()), 'El registro patronal no es válido.'),
  },
  anio: { name: 'anio', type: 'integer', required: true, validate: makeRange(2000, 2100, 'anio') },
  mes: { name: 'mes', type: 'integer', required: true, validate: makeRange(1, 12, 'mes') },
  folio_sua: {
    name: 'folio_sua',
    type: 'text',
    required: true,
    validate: makeRule((value) => /^\d{1,25}$/.test(value), 'El folio_sua debe tener de 1 a 25 dígitos.'),
  },
  importe: {
    name: 'importe',
    type: 'text',
    required: false,
    validate: makeRule((value) => value.length <= 40, 'El importe no debe exceder 40 caracteres.'),
  },
  include_content: { name: 'include_content', type: 'boolean', required: false },
  sujeto_obligado: { name: 'sujeto_obligado', type: 'text', required: true, identifier: 'obligatedSubject' },
  rfc: {
    name: 'rfc',
    type: 'text',
    required: true,
    identifier: 'rfc',
    validate: makeRule((value) => isRfc(value.toUpperCase()), 'El RFC no es válido.'),
  },
} as const satisfies Readonly<Record<string, Field>>;

export const rp: Field = { ...fields.registro_patronal, name: 'rp' };
export const optionalRegistration: Field = { ...fields.registro_patronal, required: false };

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function hasType(field: Field, value: unknown, fromText: boolean): boolean {
  if (field.type === 'file') return Buffer.isBuffer(value);
  if (field.type === 'scalar') return typeof value !== 'object';
  if (field.type === 'text' || fromText) {
    if (typeof value !== 'string') return false;
    return field.type !== 'integer' || /^\d+$/.test(value.trim());
  }
  return field.type === 'integer' ? Number.isInteger(value) : typeof value === 'boolean';
}

function findProblem(field: Field, value: unknown, fromText: boolean): string | undefined {
  if (!hasType(field, value, fromText)) return `El campo ${field.name} no tiene el tipo esperado.`;
  return field.type === 'file' ? undefined : field.validate?.(String(value).trim());
}

/** Returns the values of an input, or its missing or invalid fields. `fromText` is true for queries and forms, which only carry text. */
export function checkInput(
  expected: readonly Field[],
  input: Readonly<Record<string, unknown>>,
  fromText: boolean,
): CheckedInput {
  const missing = expected.filter((field) => field.required && isBlank(input[field.name]));
  if (missing.length > 0) {
    return { missing: Object.fromEntries(missing.map(({ name }) => [name, [`El campo ${name} es obligatorio.`]])) };
  }
  const present = expected.filter((field) => !isBlank(input[field.name]));
  const problems = present.flatMap((field) => {
    const problem = findProblem(field, input[field.name], fromText);
    return problem === undefined ? [] : [[field.name, [problem]] as const];
  });
  if (problems.length > 0) return { invalid: Object.fromEntries(problems) };
  const texts = present.filter(({ type }) => type !== 'file');
  return { values: Object.fromEntries(texts.map(({ name }) => [name, toText(name, input[name])])) };
}

/** Returns the text of a value, trimmed unless it is a password. */
function toText(name: string, value: unknown): string {
  return name === 'password' ? String(value) : String(value).trim();
}
