import type { IdentifierKind } from '../../../src/extensions/sandbox/protocol/route';
import { cards } from '../../../src/extensions/sandbox/test-cards/cards';
import type { Failure } from '../../../src/extensions/sandbox/test-cards/failures';

/** The identifier to which the service answers with a failure, on every endpoint that takes it. */
export function card(failure: Failure, identifier: IdentifierKind): string {
  const found = cards.find(
    (entry) => entry.failure === failure && entry.identifier === identifier && entry.month === undefined,
  );
  if (found === undefined) throw new Error(`No card plays ${failure} by ${identifier}.`);
  return found.value;
}
