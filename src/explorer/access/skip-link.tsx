import { texts } from '../language/texts';

/** The first thing that Tab reaches: past panels, tabs and editors to the button that runs. */
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
