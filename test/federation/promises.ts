import type { GatewayKind } from './gateways/gateway';

/** Promises of padron behind a gateway. docs/federation.md shows the same sentences. */
export const promises = {
  starts: 'starts without a warning of its settings, also if introspection is off in padron',
  contract: 'serves a contract without money',
  profile: 'makes one request of a query for padron alone',
  entities: 'answers entities, with a wrong key among them',
  wrongKeys: 'pays nothing for a key that is missing or wrong',
  ownKeys: 'resolves a `Person` by `identifiers`',
  requires: 'resolves `@requires` of a field of padron',
  price: 'shows the price, and runs nothing for `x-dry-run`',
  headers: 'sends the headers about money to padron only',
  token: "forwards the client's token or JWT",
  secret: 'sends `SUBGRAPH_SECRET`',
  clientLimit: "has one limit for an operation with the client's ID",
  keeps: "lasts with the client's ID, and with no other",
  answerWithin: 'passes an early response on, and then the rest',
  slow: 'waits until its timeout (tried with a short one)',
  leaves: 'loses nothing if the client leaves',
  restarts: 'answers the rest while padron is down, and all after its restart',
  once: 'never repeats, merges or caches a request to padron',
  errors: 'passes on the code, `url` and figures of an error',
  base64: 'passes a signature as base64 on',
  ownLimit: 'has one limit for an operation without an ID',
  ages: 'pays once with `x-max-age: 0s` and without an ID',
  units: 'passes `extensions.units` on',
  allUnits: 'adds the units of its requests',
  password: 'repeats no password of a wrong input',
  files: 'passes the files of a signature on',
  costs: 'counts `@cost` and `@listSize`',
  scopes: 'enforces `SCHEMA_SCOPES`',
  documents: 'runs persisted documents only',
  trace: "continues the client's trace",
} as const;

export type PromiseId = keyof typeof promises;

/** Begins the reason why a promise was not even tried. */
const notRun = 'needs a licence';

/**
 * Returns a function that defines the tests of a gateway. If the gateway breaks a promise, the test must fail: a promise that a newer version
 * keeps would otherwise be missing from the table.
 */
export function promisesOf({ installed, without }: GatewayKind) {
  return (id: PromiseId, check: () => Promise<void>): void => {
    const reason = without[id];
    if (!installed || reason?.startsWith(notRun)) it.skip(reason ? `${promises[id]}: ${reason}` : promises[id], check);
    else if (reason === undefined) it(promises[id], check);
    else
      it(`does not (${reason}): ${promises[id]}`, async () => {
        const failure: unknown = await check().then(
          () => null,
          (error: unknown) => error,
        );
        // A gateway that does not start has broken nothing, unless it refuses the supergraph.
        expect(String(failure)).toMatch(/expect\(|TypeError: Cannot read|is unsupported/);
      });
  };
}
