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

const findFillable = (variables: readonly BatchVariable[]): readonly ColumnTarget[] =>
  variables.flatMap(({ name, type, isRequired }) => {
    const inner = getNullableType(type);
    if (!isInputObjectType(inner)) return [{ path: [name], type }];
    // Without the other fields, a name in an optional object would make padron refuse rows that could run.
    if (!isRequired) return [];
    return Object.values(inner.getFields()).map((field) => ({ path: [name, field.name], type: field.type }));
  });

/** Returns the only target that has this usual heading, such as `Núm. Seguro Social`, or null. */
export function matchHeading(targets: readonly ColumnTarget[], folded: string): ColumnTarget | null {
  const bare = folded.replace(/^(?:numero|num|nro|no|nº)(?:del|de)?/, '');
  // A column that is only called IMSS has the contribution of a payroll.
  const key = keys.get(folded) ?? keys.get(bare === 'imss' && bare !== folded ? 'numimss' : bare);
  if (key === undefined) return null;
  const [target, ...others] = targets.filter(({ path, type }) => path.at(-1) === key || scalarOf(type) === key);
  return target !== undefined && others.length === 0 ? target : null;
}

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
  /** Variables, and fields of input objects, that a column with a usual heading can fill. */
  readonly fillable: readonly ColumnTarget[];

  constructor(
    readonly variables: readonly BatchVariable[],
    { columns, ref }: ColumnChoices,
  ) {
    this.fillable = findFillable(variables);
    this.columns = columns.map(({ column, variable }) => this.choose(column, variable));
    this.ref = ref === null ? null : this.choose(ref, null);
    for (const column of this.columns) if (column.target !== null) this.targets.add(column.target.path, column);
  }

  private choose(column: string, variable: string | null): ChosenColumn {
    const target = variable === null ? null : findTarget(this.variables, variable);
    return { name: column.trim(), folded: foldName(column), target };
  }
}
