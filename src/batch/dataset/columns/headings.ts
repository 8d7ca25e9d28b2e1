import { getNullableType, isInputObjectType, isNamedType } from 'graphql';
import type { BatchVariable } from '../../operation';
import type { ColumnTarget } from './match-column';

/** Usual headings of personnel files, as they are folded, by the scalar of an identifier or by the name of a variable or field. */
const headings: Readonly<Record<string, readonly string[]>> = {
  NSS: [
    ...[
      'nss',
      'numimss',
      'nssimss',
      'imssnss',
      'segurosocial',
      'seguridadsocial',
      'segurosocialnss',
      'segurosocialimss',
    ],
    ...['seguridadsocialnss', 'afiliacion', 'afiliacionimss', 'afiliacionalimss', 'afiliacionnss'],
  ],
  CURP: ['curp', 'claveunicaderegistrodepoblacion', 'claveunicaderegistrodepoblacioncurp'],
  EmployerRegistration: ['registropatronal', 'regpatronal', 'registropatronalimss', 'regpatronalimss'],
  rfc: ['rfc', 'rfcconhomoclave', 'registrofederaldecontribuyentes', 'registrofederaldecontribuyentesrfc'],
  names: ['nombre', 'nombres', 'nombredepila'],
  paternalSurname: ['apellidopaterno', 'apaterno', 'appaterno', 'apepaterno', 'paterno', 'primerapellido'],
  maternalSurname: ['apellidomaterno', 'amaterno', 'apmaterno', 'apematerno', 'materno', 'segundoapellido'],
  birthDate: ['fechadenacimiento', 'fechanacimiento', 'fechadenac', 'fechanac', 'fnacimiento'],
};

const keys = new Map(Object.entries(headings).flatMap(([key, names]) => names.map((name) => [name, key] as const)));

/** Returns the places that a heading can fill: all variables, and the fields of input objects that every row needs. */
export const findPlaces = (variables: readonly BatchVariable[]): readonly ColumnTarget[] =>
  variables.flatMap(({ name, type, isRequired }) => {
    const inner = getNullableType(type);
    if (!isInputObjectType(inner)) return [{ path: [name], type }];
    // Without the other fields, a name in an optional object would make padron refuse rows that could run.
    if (!isRequired) return [];
    return Object.values(inner.getFields()).map((field) => ({ path: [name, field.name], type: field.type }));
  });

/** Returns the only place that has this usual heading, such as `Núm. Seguro Social`, or null. */
export function matchHeading(places: readonly ColumnTarget[], folded: string): ColumnTarget | null {
  const bare = folded.replace(/^(?:numero|num|nro|no|nº)(?:del|de)?/, '');
  // A column that is only called IMSS has the contribution of a payroll.
  const key = keys.get(folded) ?? keys.get(bare === 'imss' && bare !== folded ? 'numimss' : bare);
  if (key === undefined) return null;
  const [place, ...others] = places.filter(({ path, type }) => path.at(-1) === key || scalarOf(type) === key);
  return place !== undefined && others.length === 0 ? place : null;
}

/** Returns the name of the scalar of a place. */
export function scalarOf(type: ColumnTarget['type']): string {
  const inner = getNullableType(type);
  return isNamedType(inner) ? inner.name : '';
}
