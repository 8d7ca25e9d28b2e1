import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, makeVar } from '@apollo/client';
import { buyOnce, possibleTypes, typePolicies, unitsLink } from 'padron-client/apollo';
import { addUnits, type Estimate, type OnUnits, priceOf, type UnitTotal } from 'padron-client/units';
import { CheckPersonDocument, type CheckPersonQueryVariables } from './generated/graphql';

const { VITE_PADRON_URL: url, VITE_PADRON_TOKEN: token, VITE_SANDBOX_DELAY: delay } = import.meta.env;
const authorization = `Bearer ${token}`;

/** Units that the page has spent since it was opened. A call that is still running is uncertain. */
export const unitsSpent = makeVar<UnitTotal>({ spent: 0, uncertain: 0, saved: 0 });

const count: OnUnits = (usage) => void unitsSpent(addUnits(unitsSpent(), usage));

const httpLink = new HttpLink({
  uri: url,
  headers: {
    authorization,
    // padron answers within a second with what has arrived. `retryFailed` asks for the rest.
    'x-answer-within': '1s',
    // The ledger of padron has the costs of each tag.
    'x-tag': 'onboarding',
    ...(delay ? { 'x-sandbox-delay': delay } : {}),
  },
});

export const client = new ApolloClient({
  link: ApolloLink.from([unitsLink(count), httpLink]),
  cache: new InMemoryCache({ typePolicies, possibleTypes }),
  defaultOptions: { watchQuery: buyOnce },
});

/** Returns the price of checking a person. This is free, because padron calls no registry. */
export function priceOfCheck(person: CheckPersonQueryVariables, signal: AbortSignal): Promise<Estimate> {
  return priceOf(CheckPersonDocument, person, { url, headers: { authorization }, signal });
}
