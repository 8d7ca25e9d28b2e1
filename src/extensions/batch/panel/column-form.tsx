import { type ReactNode, useState } from 'react';
import type { ChosenColumns } from './batch-requests';
import { batchTexts as words } from './batch-texts';
import type { FileColumn, FileColumns } from './send-dataset';

export function ColumnTable({ children }: { readonly children: ReactNode }) {
  return (
    <table>
      <thead>
        <tr>
          <th>{words.column}</th>
          <th>{words.variable}</th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** Value of the label of a row in the lists, as in the columns of a batch. */
const label = 'ref';
/** Value of a column that has whole names. */
export const fullName = 'fullName';

interface ColumnFormProps {
  readonly name: string;
  readonly file: FileColumns;
  /** The sheet that the user chose, or null if padron chose it. */
  readonly sheet: string | null;
  readonly isDisabled: boolean;
  readonly onChoose: (choices: ChosenColumns) => void;
  readonly onCancel: () => void;
}

export function ColumnForm({ name, file, sheet, isDisabled, onChoose, onCancel }: ColumnFormProps) {
  const named = file.columns.filter((column) => column.name !== '');
  const [chosen, setChosen] = useState(new Map(named.map((column) => [column.name, column.variable ?? ''])));
  const isTaken = (variable: string, column: string): boolean =>
    [...chosen].some(([other, value]) => other !== column && value === variable);
  return (
    <form
      aria-label={words.columnsOf(name)}
      onSubmit={(event) => {
        event.preventDefault();
        onChoose({ ...toChoices(named, chosen), sheet });
      }}
    >
      <h2>{words.columnsOf(name)}</h2>
      {file.sheets.length > 1 && (
        <p>
          <label>
            {words.sheet}{' '}
            <select
              value={file.sheet ?? ''}
              disabled={isDisabled}
              onChange={({ target }) => onChoose({ columns: [], refColumn: null, sheet: target.value })}
            >
              {file.sheets.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </label>
        </p>
      )}
      <ColumnTable>
        {named.map((column) => (
          <tr key={column.name}>
            <td>
              {column.name}
              {column.suggestion !== undefined && column.suggestion.valid > 0 && (
                <span className="padron-fault padron-quiet">
                  {words.validValues(column.suggestion.valid, column.suggestion.filled)}
                </span>
              )}
            </td>
            <td>
              <select
                aria-label={column.name}
                value={chosen.get(column.name)}
                onChange={({ target }) => setChosen(new Map(chosen).set(column.name, target.value))}
              >
                <option value="">{words.unused}</option>
                {file.variables.map((variable) => (
                  <option key={variable} value={variable} disabled={isTaken(variable, column.name)}>
                    ${variable}
                  </option>
                ))}
                <option value={label} disabled={isTaken(label, column.name)}>
                  {words.label}
                </option>
                {column.matched === fullName && <option value={fullName}>{words.fullName}</option>}
              </select>
            </td>
          </tr>
        ))}
      </ColumnTable>
      <p className="padron-row">
        <button type="submit" className="padron-primary" disabled={isDisabled}>
          {words.readAgain}
        </button>
        <button type="button" onClick={onCancel}>
          {words.cancelChoice}
        </button>
      </p>
    </form>
  );
}

/** Returns the choices that differ from what padron does without them, in order, as `--column`, `--unused` and `--ref` of the command. */
function toChoices(columns: readonly FileColumn[], chosen: ReadonlyMap<string, string>): Omit<ChosenColumns, 'sheet'> {
  const isChosen = (variable: string | null): boolean => [...chosen.values()].some((value) => value === variable);
  const changed = columns
    .map(({ name, matched, isUnmapped }) => ({ column: name, variable: chosen.get(name) || null, matched, isUnmapped }))
    .filter(
      ({ variable, matched, isUnmapped }) =>
        isUnmapped === true || (variable !== matched && (variable !== null || !isChosen(matched))),
    )
    .sort((left, right) => (left.column < right.column ? -1 : 1));
  return {
    columns: changed.flatMap(({ column, variable }) => (variable === label ? [] : [{ column, variable }])),
    refColumn: changed.find(({ variable }) => variable === label)?.column ?? null,
  };
}
