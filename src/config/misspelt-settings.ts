import type { Environment } from './env-reader';

/** A variable that is none of ours, and the setting that may have been meant. */
export interface MisspeltSetting {
  readonly name: string;
  readonly nearest: string;
}

/** An environment holds much that is not ours: named is only what is nearly a setting. `PORT` and `HOST` are near to too much. */
export function findMisspeltSettings(
  environment: Environment,
  settings: ReadonlySet<string>,
): readonly MisspeltSetting[] {
  const strangers = Object.keys(environment).filter(
    (name) => name.length <= maxLength && !settings.has(name) && (environment[name] ?? '').trim() !== '',
  );
  return strangers.flatMap((name) => {
    const nearest = [...settings]
      .map((setting) => ({ setting, edits: countEdits(name.toUpperCase(), setting) }))
      .filter(({ setting, edits }) => edits <= maxEdits(setting))
      .sort((left, right) => left.edits - right.edits)[0];
    return nearest === undefined ? [] : [{ name, nearest: nearest.setting }];
  });
}

const maxLength = 40;

/** None in a short name: then only its case may be wrong. */
const maxEdits = (setting: string): number => (setting.length < 8 ? 0 : setting.length < 12 ? 1 : 2);

/** Letters that were left out, added, changed, or written in the wrong order, which counts once (optimal string alignment). */
function countEdits(left: string, right: string): number {
  let beforePrevious: readonly number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforePrevious[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}
