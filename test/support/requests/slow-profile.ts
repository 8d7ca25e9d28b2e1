import { people } from '../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../find-or-throw';

export const { nss, curp } = findOrThrow(
  people,
  ({ credit, licences, alive }) => Boolean(credit) && licences.length > 0 && alive,
);
/** Two calls, of which tests hold back the one to `buscar-credito`. */
export const query = `query Profile($nss: NSS, $curp: CURP) {
  slow: person(nss: $nss) { credit { outcome problems { code retryable retryAfter } evidence { billing servedFrom units } } }
  fast: person(curp: $curp) { identity { outcome evidence { servedFrom } } }
}`;
export const profile = { query, variables: { nss, curp } };
