import { Fragment } from 'react';

/** A path whose line may only break after a separator or before a capital letter within a word: `/api/infonavit`, `person.housingAccount`. */
export function Breakable({ path }: { readonly path: string }) {
  return path.split(/(?<=[/._-])|(?<=[a-z])(?=[A-Z])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a path never change their order.
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));
}
