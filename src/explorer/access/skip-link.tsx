import { texts } from '../language/texts';

/** The first link that Tab reaches. It skips panels, tabs and editors and leads to the Run button. */
export function SkipLink() {
  return (
    <button
      type="button"
      className="padron-skip"
      onClick={() => document.querySelector<HTMLButtonElement>('.graphiql-execute-button')?.focus()}
    >
      {texts.skipToRun}
    </button>
  );
}
