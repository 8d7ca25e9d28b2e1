import { suggestionList } from 'graphql/jsutils/suggestionList';
import { foldName } from './match-column';

const maxListed = 50;
const maxNearest = 3;
/** Longer names are not compared, because the comparison takes time quadratic in their length. */
const maxComparedLength = 60;

/** Returns the names that resemble a name, the most similar one first. */
export function nearestNames(name: string, names: readonly string[]): readonly string[] {
  const folded = foldName(name);
  const comparable = names.filter((each) => each !== '' && each.length <= maxComparedLength);
  const containing = comparable.filter((each) => foldName(each).includes(folded));
  const byFold = new Map(comparable.map((each) => [foldName(each), each]));
  const similar = suggestionList(folded, [...byFold.keys()]).map((each) => byFold.get(each) ?? each);
  return [...new Set([...containing, ...similar])].slice(0, maxNearest);
}

/** Returns names as a list for a message. */
export function listNames(names: readonly string[]): string {
  const listed = names.filter((name) => name !== '').slice(0, maxListed);
  const quoted = listed.map((name) => `\`${name.slice(0, maxComparedLength)}\``).join(', ');
  return names.length > maxListed ? `${quoted}, …` : quoted || '—';
}
