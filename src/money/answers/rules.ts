/** A rule says who may have an answer that was paid for, for how long, and of which age. */
export interface Rule {
  /** Whether `x-max-age` limits the age of the answer. */
  readonly isAged: boolean;
  /** Whether it lasts for days, also after a crash of the server. */
  readonly lasts: boolean;
  /** Text for the documents. */
  readonly who: string;
  readonly which: string;
  readonly until: string;
}

/**
 * The rules, in the order in which they are tried. Whatever the rule, an answer comes before a failure. Under one rule, the newest is used. Memory and store
 * find answers by these rules, so that it does not matter which process of an account asks.
 */
export const rules = {
  OPERATION: {
    isAged: false,
    lasts: true,
    who: 'the operation or the batch that paid, for the same purpose',
    which: 'all but free failures',
    until: 'it ends or is deleted',
  },
  ACCOUNT: {
    isAged: true,
    lasts: false,
    who: 'the account',
    which: 'answers and charged rejections, but not about somebody else',
    until: '`REPLAY_SECONDS`',
  },
  PURPOSE: {
    isAged: true,
    lasts: true,
    who: 'the account with `x-max-age`, for the same purpose',
    which: 'the same without rejections, if charged to such a request',
    until: '`REUSE_DAYS`',
  },
  HOLDER: {
    isAged: false,
    lasts: false,
    who: 'the caller of an early response, for the same purpose',
    which: 'all',
    until: '60 seconds after it arrived; a failure until its `retryAfter`, or 10 seconds if free',
  },
  CALL: {
    isAged: true,
    lasts: false,
    who: 'who waits for its call',
    which: 'all',
    until: '10 seconds after its end',
  },
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof rules;

const order = Object.keys(rules) as readonly RuleName[];

/** Returns a rule as the store keeps it with an answer. */
export const storedRule = (rule: RuleName) => ({
  rule,
  rank: order.indexOf(rule),
  aged: rules[rule].isAged,
  lasts: rules[rule].lasts,
});

/** Puts what is kept by rules into their order. */
export const byRule = <Ruled extends { readonly rule: RuleName }>(ruled: readonly Ruled[]): readonly Ruled[] =>
  ruled.toSorted((left, right) => order.indexOf(left.rule) - order.indexOf(right.rule));
