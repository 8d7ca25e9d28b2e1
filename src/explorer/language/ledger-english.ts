const date = (day: string, format: Intl.DateTimeFormatOptions): string =>
  new Date(`${day}T12:00:00Z`).toLocaleDateString('en', { ...format, timeZone: 'UTC' });

const monthName = (month: string): string => date(`${month}-15`, { month: 'long', year: 'numeric' });

/** English texts of the ledger in the Money panel. */
export const ledgerEnglish = {
  title: 'Ledger',
  amounts: 'Amounts are in pesos (MXN).',
  spentToday: 'spent today',
  unsettled: 'unsettled',
  chart: 'Units by day',
  byEndpoint: 'Units by endpoint',
  day: (day: string) => date(day, { month: 'short', day: 'numeric' }),
  nothing: 'Nothing was spent in the last two weeks.',
  off: 'The ledger is off. The operator can turn it on with LEDGER=on.',
  noToken: 'The token is missing or invalid. Enter {"authorization": "Bearer …"} in the Headers pane.',
  scopeNeeded:
    'This token names no client and lacks the scope padron_ledger, so it cannot see any calls. Use a token with that scope.',
  limitedTo: (client: string) =>
    `You only see the calls of the client ${client}. To see the whole account, use a token with the scope padron_ledger.`,
  unknown: (reason: string) => `The ledger cannot be read: ${reason}`,
  download: 'Download all as CSV',
  downloadMonth: (month: string) => `Download ${monthName(month)} as CSV`,
  budgets: {
    title: 'Budgets',
    none: 'None. setRegistryBudget sets a budget and needs a token with the scope padron_budgets.',
    scopeNeeded:
      'This token names no client and lacks the scope padron_budgets or padron_ledger, so it cannot see budgets.',
    account: 'Whole account',
    client: (client: string) => `client ${client}`,
    tag: (tag: string) => `tag ${tag}`,
    per: {
      DAY: (units: string, amount: string) => `${units}${amount} per day`,
      MONTH: (units: string, amount: string) => `${units}${amount} per month`,
    },
    used: (units: string, share: string) => `${units} used (${share})`,
    uncertain: (units: string) => `${units} reserved or uncertain`,
    left: (units: string, amount: string) => `${units}${amount} left.`,
    noCalls: 'No call yet.',
    resets: (moment: Date, timeZone: string) =>
      `Resets on ${moment.toLocaleDateString('en', { dateStyle: 'long', timeZone })}.`,
  },
  months: {
    title: 'Spend by month',
    choose: 'Month',
    name: monthName,
    soFar: (month: string) => `${monthName(month)} (so far)`,
    short: (month: string) => date(`${month}-15`, { month: 'short', year: 'numeric' }),
    total: 'Total',
    uncertain: 'Uncertain, in addition',
    by: { client: 'By client', tag: 'By tag', endpoint: 'By endpoint' },
    without: { client: 'No client', tag: 'No tag', endpoint: 'No endpoint' },
    hidden: (count: number) => `and ${count.toLocaleString('en')} more: see padron spend`,
  },
  settling: {
    about: (calls: string, units: string) =>
      `${calls} may have cost up to ${units}, because no usable response arrived.`,
    show: (calls: number): string =>
      calls === 1 ? 'Show the call and how to settle it' : 'Show the calls and how to settle them',
    list: 'Unsettled calls',
    time: (moment: Date, timeZone: string) =>
      moment.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short', timeZone }),
    hidden: (count: number) => `and ${count.toLocaleString('en')} older calls`,
    byStatement:
      "If the service's statement has sums by endpoint, this command compares it with the ledger and settles the calls that agree:",
    byCall:
      'If it lists single calls, find each one by its time and settle it with a mutation. The token needs the scope padron_ledger_settle.',
    open: 'Open the mutation in a tab',
  },
};
