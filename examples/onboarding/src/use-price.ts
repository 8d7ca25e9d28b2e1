import type { Estimate } from 'padron-client/units';
import { useEffect, useState } from 'react';
import type { CheckPersonQueryVariables } from './generated/graphql';
import { priceOfCheck } from './padron';

interface Price {
  /** Null until padron has answered. */
  readonly estimate: Estimate | null;
  readonly hasFailed: boolean;
}

const unknownPrice: Price = { estimate: null, hasFailed: false };

/** Asks for the price when the user stops typing. `person` is null while an identifier is incomplete. */
export function usePrice(person: CheckPersonQueryVariables | null): Price {
  const [price, setPrice] = useState({ ...unknownPrice, of: '' });
  const asked = person === null ? '' : JSON.stringify(person);

  useEffect(() => {
    if (asked === '') return;
    const typing = new AbortController();
    const show = (answer: Price) => {
      if (!typing.signal.aborted) setPrice({ ...answer, of: asked });
    };
    const timer = setTimeout(() => {
      priceOfCheck(JSON.parse(asked), typing.signal).then(
        (estimate) => show({ estimate, hasFailed: false }),
        () => show({ estimate: null, hasFailed: true }),
      );
    }, 250);
    return () => {
      clearTimeout(timer);
      typing.abort();
    };
  }, [asked]);

  // The price of other identifiers must not be shown, not even for a moment.
  return price.of === asked ? price : unknownPrice;
}
