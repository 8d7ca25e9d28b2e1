import type { ReactNode } from 'react';
import { texts } from '../../language/texts';

const words = texts.batch;

/** A table of the columns of a file and the variables that they fill. `children` are its rows. */
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
