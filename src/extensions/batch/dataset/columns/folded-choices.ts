import { getNullableType, isInputObjectType, isNamedType } from 'graphql';
import type { ColumnChoices } from '../../batch';
import type { BatchVariable } from '../../operation';
import { type ColumnTarget, findTarget, foldName } from './match-column';

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
    ...['seguridadsocialnss', 'seguridadsocialimss', 'afiliacion', 'afiliacionimss', 'afiliacionalimss'],
    ...['afiliacionnss', 'numss'],
  ],
  CURP: ['curp', 'crup', 'clavecurp', 'claveunicaderegistrodepoblacion', 'claveunicaderegistrodepoblacioncurp'],
  EmployerRegistration: [
    ...['registropatronal', 'regpatronal', 'registropatronalimss', 'regpatronalimss', 'regpat', 'rp'],
  ],
  rfc: ['rfc', 'rfcconhomoclave', 'registrofederaldecontribuyentes', 'registrofederaldecontribuyentesrfc'],
  names: ['nombre', 'nombres', 'nombredepila'],
  paternalSurname: [
    ...['apellidopaterno', 'apaterno', 'appaterno', 'apepaterno', 'paterno', 'apellidopat', 'appat', 'apepat'],
    ...['primerapellido', '1erapellido', '1roapellido', '1oapellido', '1apellido', 'apellido1'],
  ],
  maternalSurname: [
    ...['apellidomaterno', 'amaterno', 'apmaterno', 'apematerno', 'materno', 'apellidomat', 'apmat', 'apemat'],
    ...['segundoapellido', '2doapellido', '2oapellido', '2apellido', 'apellido2'],
  ],
  birthDate: ['fechadenacimiento', 'fechanacimiento', 'fechadenac', 'fechanac', 'fnacimiento'],
};

const keys = new Map(Object.entries(headings).flatMap(([key, names]) => names.map((name) => [name, key] as const)));

/** Returns the variables, and the fields of those that are input objects. */
export const listTargets = (variables: readonly BatchVariable[]): readonly ColumnTarget[] =>
  variables.flatMap(({ name, type }) => {
    const inner = getNullableType(type);
    if (!isInputObjectType(inner)) return [{ path: [name], type }];
    return Object.values(inner.getFields()).map((field) => ({ path: [name, field.name], type: field.type }));
  });

/** Without its other fields, a name in an optional object would make padron refuse rows that could run. */
const findFillable = (variables: readonly BatchVariable[]): readonly ColumnTarget[] =>
  listTargets(variables.filter(({ type, isRequired }) => isRequired || !isInputObjectType(getNullableType(type))));

/** Parts of headings that name a variable, but not surely enough to fill it. */
const hints: Readonly<Record<string, readonly string[]>> = {
  NSS: ['imss', 'ss'],
  names: ['name', 'nombres'],
  paternalSurname: [
    'pat',
    'app',
    '1ap',
    '1erap',
    '1oap',
    '1apell',
    'firstsurname',
    'surname',
    'lastname',
    'apellido',
    'apellidos',
  ],
  maternalSurname: [
    ...['mat', 'materna', 'apm', '2ap', '2doap', '2oap', '2apell', 'secondsurname', 'mothersurname', 'surname2'],
    ...['lastname2', 'surname', 'lastname', 'apellido', 'apellidos'],
  ],
  birthDate: ['nac', 'nacimiento'],
};

function hintsOf({ path, type }: ColumnTarget): ReadonlySet<string> {
  const field = path.at(-1) ?? '';
  const key = scalarOf(type) in headings ? scalarOf(type) : field;
  return new Set([foldName(field), ...(headings[key] ?? []), ...(hints[key] ?? [])]);
}

/** More words are not combined, because that takes time. */
const maxWords = 12;

/** Returns the combinations of successive words of a heading, folded, the longest first. */
function partsOf(heading: string): readonly string[] {
  const words = heading
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .map(foldName)
    .filter((word) => word !== '')
    .slice(0, maxWords);
  const parts = words.flatMap((_, start) =>
    words.slice(start).map((__, length) => words.slice(start, start + length + 1).join('')),
  );
  return parts.sort((left, right) => right.length - left.length);
}

/** Returns the only target that has this usual heading, such as `Núm. Seguro Social`, or null. */
export function matchHeading(targets: readonly ColumnTarget[], name: string): ColumnTarget | null {
  const key = findKey(foldName(name.normalize('NFKC').replace(/^\s*(?:#|n\s*°|n\s*o(?=[\s.]))/i, 'numero ')));
  if (key === undefined) return null;
  const [target, ...others] = targets.filter(({ path, type }) => path.at(-1) === key || scalarOf(type) === key);
  return target !== undefined && others.length === 0 ? target : null;
}

function findKey(folded: string): string | undefined {
  const bare = folded.replace(/^(?:numero|num|nro|no)(?:del|de)?/, '');
  // A column that is only called IMSS has the contribution of a payroll, and one called SS may have anything.
  const isNumber = bare !== folded && ['imss', 'ss'].includes(bare);
  const key = keys.get(folded) ?? keys.get(isNumber ? `num${bare}` : bare);
  if (key !== undefined) return key;
  // The name of a worker is usually a whole name, so only headings of identifiers may end so.
  const ofWorker = keys.get(bare.replace(/(?:de(?:l|la)?)?(?:trabajador(?:a|es)?|emplead[oa]s?|asegurad[oa]s?)$/, ''));
  return ofWorker !== undefined && identifiers.has(ofWorker) ? ofWorker : undefined;
}

const identifiers: ReadonlySet<string> = new Set(['NSS', 'CURP', 'EmployerRegistration', 'rfc']);

export function scalarOf(type: ColumnTarget['type']): string {
  const inner = getNullableType(type);
  return isNamedType(inner) ? inner.name : '';
}

/** Values by the paths of variables and of their fields. Finds a path that overlaps another without comparing all of them. */
export class PathMap<Value> {
  private readonly paths = new Map<string, Value>();
  /** The first value of each path and of each of its beginnings. */
  private readonly beginnings = new Map<string, Value>();

  add(path: readonly string[], value: Value): void {
    this.paths.set(toKey(path), value);
    for (let length = 1; length <= path.length; length += 1) {
      const key = toKey(path.slice(0, length));
      if (!this.beginnings.has(key)) this.beginnings.set(key, value);
    }
  }

  get size(): number {
    return this.paths.size;
  }

  has(path: readonly string[]): boolean {
    return this.paths.has(toKey(path));
  }

  findOverlap(path: readonly string[]): Value | undefined {
    const inner = this.beginnings.get(toKey(path));
    if (inner !== undefined) return inner;
    for (let length = 1; length < path.length; length += 1) {
      const outer = this.paths.get(toKey(path.slice(0, length)));
      if (outer !== undefined) return outer;
    }
    return undefined;
  }
}

const toKey = (path: readonly string[]): string => path.join('.');

export interface ChosenColumn {
  readonly name: string;
  readonly folded: string;
  readonly target: ColumnTarget | null;
}

export class FoldedChoices {
  readonly columns: readonly ChosenColumn[];
  readonly ref: ChosenColumn | null;
  readonly targets = new PathMap<ChosenColumn>();
  readonly all: readonly ColumnTarget[];
  private readonly byHint = new Map<string, ColumnTarget[]>();
  /** Variables, and fields of input objects, that a column with a usual heading can fill. */
  readonly fillable: readonly ColumnTarget[];

  constructor(
    readonly variables: readonly BatchVariable[],
    { columns, ref }: ColumnChoices,
  ) {
    this.fillable = findFillable(variables);
    this.all = listTargets(variables);
    for (const target of this.all)
      for (const hint of hintsOf(target)) this.byHint.set(hint, [...(this.byHint.get(hint) ?? []), target]);
    this.columns = columns.map(({ column, variable }) => this.choose(column, variable));
    this.ref = ref === null ? null : this.choose(ref, null);
    for (const column of this.columns) if (column.target !== null) this.targets.add(column.target.path, column);
  }

  /** Returns the targets that a heading names with some of its words, the longest first. */
  findNamed(heading: string): readonly ColumnTarget[] {
    return partsOf(heading).flatMap((part) => this.byHint.get(part) ?? []);
  }

  private choose(column: string, variable: string | null): ChosenColumn {
    const target = variable === null ? null : findTarget(this.variables, variable);
    return { name: column.trim(), folded: foldName(column), target };
  }
}
