import type { Environment } from './env-reader';

/** A variable that is not a setting, and the setting that was probably intended. */
export interface MisspeltSetting {
  readonly name: string;
  readonly nearest: string;
}

/** Returns the variables whose names resemble a setting. Other variables belong to other programs and are ignored. */
export function findMisspeltSettings(
  environment: Environment,
  settings: ReadonlySet<string>,
): readonly MisspeltSetting[] {
  const candidates = Object.keys(environment).filter(
    (name) => name.length <= maxLength && !settings.has(name) && (environment[name] ?? '').trim() !== '',
  );
  return candidates.flatMap((name) => {
    const nearest = [...settings]
      .map((setting) => ({ setting, edits: countEdits(name.toUpperCase(), setting) }))
      .filter(({ setting, edits }) => edits <= maxEdits(setting))
      .sort((left, right) => left.edits - right.edits)[0];
    return nearest === undefined ? [] : [{ name, nearest: nearest.setting }];
  });
}

const maxLength = 40;

/** Returns the number of edits allowed. Short names such as `PORT` resemble too many others, so only their case may differ. */
const maxEdits = (setting: string): number => (setting.length < 8 ? 0 : setting.length < 12 ? 1 : 2);

/** Returns the number of letters left out, added, changed or swapped (optimal string alignment distance). */
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
