import { GraphQLString, getNullableType, isInputObjectType, isRequiredInputField } from 'graphql';
import { type BatchColumn, fullNameColumn } from '../../batch';
import {
  type ColumnProblem,
  explainAbsent,
  explainCollision,
  explainMissing,
  explainRepeated,
  isWholeName,
} from './column-messages';
import type { ChosenColumn, FoldedChoices } from './folded-choices';
import { matchHeading, PathMap, scalarOf } from './folded-choices';
import { type ColumnTarget, foldName, matchColumn, refColumn } from './match-column';

/** Maximum columns that are remembered, because in JSON lines each row can have other columns. */
const maxColumns = 500;

/** A column, the variable that it fills, and whether its values label the rows. */
export interface ColumnUse {
  readonly name: string;
  readonly target: ColumnTarget | null;
  readonly isRef: boolean;
  /** Whether the caller said that the column is not used. */
  readonly isDeclined: boolean;
}

/** A chosen column that the file does not have, or required variables and fields that no column fills. */
type Gap = { readonly absent: string } | { readonly missing: readonly ColumnTarget[] };

export class ColumnUses {
  private readonly uses = new Map<string, ColumnUse>();
  private readonly names: ReadonlySet<string>;
  private readonly foldedNames = new Set<string>();

  constructor(
    private readonly chosen: FoldedChoices,
    /** The columns of a table, or null if each row has its own columns. */
    private readonly header: readonly string[] | null,
  ) {
    this.names = new Set(header);
    for (const name of header ?? []) this.find(name);
    if (header !== null) this.matchHeadings();
  }

  get columns(): readonly BatchColumn[] {
    const filled = this.matchedPaths();
    const targets = this.chosen.all.filter(({ path }) => filled.has(path));
    const isAboutPeople = targets.some(({ type }) => ['NSS', 'CURP'].includes(scalarOf(type)));
    const hasName = targets.some(({ path }) => path.at(-1) === 'paternalSurname');
    const isFullName = (name: string, isDeclined: boolean): boolean =>
      isAboutPeople && !hasName && !isDeclined && isWholeName(name);
    return [...this.uses.values()].map(({ name, target, isRef, isDeclined }) => ({
      name,
      variable: target?.path.join('.') ?? (isRef ? refColumn : isFullName(name, isDeclined) ? fullNameColumn : null),
    }));
  }

  /** Variables, and fields of input objects, that no column fills. */
  get unfilled(): readonly ColumnTarget[] {
    const matched = this.matchedPaths();
    return this.chosen.all.filter(({ path }) => matched.findOverlap(path) === undefined);
  }

  findNamed(heading: string): readonly ColumnTarget[] {
    return this.chosen.findNamed(heading);
  }

  find(name: string): ColumnUse {
    const existing = this.uses.get(name);
    if (existing !== undefined) return existing;
    const folded = foldName(name);
    const isRef = this.isRefColumn(name, folded);
    const isDeclined = !isRef && name !== '' && this.findChoice(name, folded)?.target === null;
    const use = { name, target: this.findTarget(name, folded), isRef, isDeclined };
    if (this.uses.size < maxColumns) {
      this.uses.set(name, use);
      this.foldedNames.add(folded);
    }
    return use;
  }

  get hasRequiredColumns(): boolean {
    return this.findGap() === null;
  }

  findProblem(): ColumnProblem | null {
    const gap = this.findGap();
    const header = this.header ?? [];
    if (gap === null) return this.findRepeated(header) ?? findCollision([...this.uses.values()]);
    return 'absent' in gap ? explainAbsent(gap.absent, header) : explainMissing(gap.missing, header);
  }

  /** Unused columns may have the same name. */
  private findRepeated(header: readonly string[]): ColumnProblem | null {
    const repeated = header.find((name, index) => {
      const { target, isRef } = this.find(name);
      return (target !== null || isRef) && header.indexOf(name) !== index;
    });
    return repeated === undefined ? null : explainRepeated(repeated);
  }

  private findGap(): Gap | null {
    const { variables, columns, ref } = this.chosen;
    const absent = [...columns, ...(ref === null ? [] : [ref])].find(
      (choice) => !this.names.has(choice.name) && (choice.folded === '' || !this.foldedNames.has(choice.folded)),
    );
    if (absent !== undefined) return { absent: absent.name };
    const matched = this.matchedPaths();
    const missing = variables.flatMap((variable) =>
      variable.isRequired ? missingPaths({ path: [variable.name], type: variable.type }, matched) : [],
    );
    if (missing.length > 0) return { missing };
    const [first] = variables;
    return first === undefined || matched.size > 0 ? null : { missing: [{ path: [first.name], type: first.type }] };
  }

  private matchedPaths(): PathMap<string> {
    const matched = new PathMap<string>();
    for (const { name, target } of this.uses.values()) if (target !== null) matched.add(target.path, name);
    return matched;
  }

  /** Assigns unused columns by their usual headings to variables that no other column fills. */
  private matchHeadings(): void {
    const taken = this.matchedPaths();
    for (const use of this.uses.values()) {
      const folded = foldName(use.name);
      if (use.target !== null || use.isRef || this.findChoice(use.name, folded) !== undefined) continue;
      const target = matchHeading(this.chosen.fillable, use.name);
      if (target === null || taken.findOverlap(target.path) !== undefined) continue;
      if (this.chosen.targets.findOverlap(target.path) === undefined) this.uses.set(use.name, { ...use, target });
    }
  }

  private findTarget(name: string, folded: string): ColumnTarget | null {
    if (name === '') return null;
    const { variables, targets } = this.chosen;
    const choice = this.findChoice(name, folded);
    if (choice !== undefined) return choice.target;
    const target = matchColumn(variables, name);
    return target !== null && targets.findOverlap(target.path) !== undefined ? null : target;
  }

  private isRefColumn(name: string, folded: string): boolean {
    const { ref } = this.chosen;
    if (ref !== null) return this.isChosen(ref, name, folded);
    const isUnused = this.findChoice(name, folded)?.target === null;
    return !isUnused && this.isChosen({ name: refColumn, folded: refColumn, target: null }, name, folded);
  }

  private findChoice(name: string, folded: string): ChosenColumn | undefined {
    const { columns } = this.chosen;
    return columns.find((choice) => choice.name === name) ?? columns.find((each) => this.isChosen(each, name, folded));
  }

  /** Whether a choice names this column. Differences in spelling are only ignored if no column has exactly that name. */
  private isChosen(choice: ChosenColumn, name: string, folded: string): boolean {
    if (choice.name === name) return true;
    if (folded === '' || choice.folded !== folded) return false;
    return this.chosen.columns.length === 0 || !this.names.has(choice.name);
  }
}

/** Returns the paths that have no value although the type requires one: the variable itself, or required fields of it. */
function missingPaths(target: ColumnTarget, matched: PathMap<string>): readonly ColumnTarget[] {
  const { path, type } = target;
  if (matched.has(path)) return [];
  const inner = getNullableType(type);
  const isPartial = matched.findOverlap(path) !== undefined;
  if (!isInputObjectType(inner)) return isPartial ? [] : [target];
  const required = Object.values(inner.getFields()).filter(isRequiredInputField);
  const missing = required.flatMap((field) => missingPaths({ path: [...path, field.name], type: field.type }, matched));
  return missing.length > 0 || isPartial ? missing : [target];
}

export function findCollision(uses: readonly ColumnUse[]): ColumnProblem | null {
  const filled = new PathMap<{ readonly target: ColumnTarget; readonly name: string }>();
  for (const use of uses) {
    const target = use.target ?? (use.isRef ? { path: [refColumn], type: GraphQLString } : null);
    if (target === null) continue;
    const earlier = filled.findOverlap(target.path);
    if (earlier !== undefined) return explainCollision(earlier.name, use.name, shorter(earlier.target, target));
    filled.add(target.path, { target, name: use.name });
  }
  return null;
}

const shorter = (left: ColumnTarget, right: ColumnTarget): ColumnTarget =>
  left.path.length < right.path.length ? left : right;
