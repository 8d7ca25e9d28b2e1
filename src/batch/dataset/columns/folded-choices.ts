import type { ColumnChoices } from '../../batch';
import type { BatchVariable } from '../../operation';
import { findPlaces } from './headings';
import { type ColumnTarget, findTarget, foldName } from './match-column';
import { PathMap } from './path-map';

/** A chosen column, with its name as it is compared with the columns of the file. The target is null if it fills no variable. */
export interface ChosenColumn {
  readonly name: string;
  readonly folded: string;
  readonly target: ColumnTarget | null;
}

/** The choices of columns for an operation. Their names are folded once, however many headers they are compared with. */
export class FoldedChoices {
  readonly columns: readonly ChosenColumn[];
  /** The column of the labels, or null if the caller chose none. */
  readonly ref: ChosenColumn | null;
  readonly targets = new PathMap<ChosenColumn>();
  /** The places that a column can fill by its usual heading. */
  readonly places: readonly ColumnTarget[];

  constructor(
    readonly variables: readonly BatchVariable[],
    { columns, ref }: ColumnChoices,
  ) {
    this.places = findPlaces(variables);
    this.columns = columns.map(({ column, variable }) => this.choose(column, variable));
    this.ref = ref === null ? null : this.choose(ref, null);
    for (const column of this.columns) if (column.target !== null) this.targets.add(column.target.path, column);
  }

  private choose(column: string, variable: string | null): ChosenColumn {
    const target = variable === null ? null : findTarget(this.variables, variable);
    return { name: column.trim(), folded: foldName(column), target };
  }
}
