import { batchEnglish } from './batch-english';

const date = (day: string, format: Intl.DateTimeFormatOptions): string =>
  new Date(`${day}T12:00:00Z`).toLocaleDateString('en', { ...format, timeZone: 'UTC' });

const monthName = (month: string): string => date(`${month}-15`, { month: 'long', year: 'numeric' });

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

const pesos = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'MXN',
  currencyDisplay: 'narrowSymbol',
  maximumFractionDigits: 6,
});

export const english = {
  skipToRun: 'Skip to Run',
  otherLanguage: 'Español',
  switchLanguage: 'Mostrar el explorador en español',
  closeTab: (title: string) => `Close ${title}`,
  close: 'Close',
  togglePanel: (panel: string, isVisible: boolean) => `${isVisible ? 'Hide' : 'Show'} ${panel}`,
  closePanel: (panel: string) => `Close the panel ${panel}`,
  tabs: 'Open operations',
  allTabs: (count: number) => (count === 1 ? '1 tab' : `${count} tabs`),
  sideBar: 'Panels',
  operationKind: 'Kind of operation to add',
  invented: 'Invented answers',
  inventedAbout: {
    'embedded-sandbox': 'Answers come from the embedded sandbox. All people are invented, and no call uses your units.',
    'remote-sandbox': 'Answers come from a standalone sandbox. All people are invented, and no call uses your units.',
  },
  persistence:
    'Operations survive a reload, without the values in them, until you close this tab. Variables, headers and responses are not saved.',
  token: {
    name: 'Token',
    use: 'Use',
    replace: 'Replace',
    needed: 'Enter your token. It loads the schema, and all tabs use it.',
    entered: 'All tabs use your token, except those with another one in Headers.',
    refused: 'The server did not accept this token. Enter another one.',
    forget: 'Forget the token',
  },
  persistenceWithToken:
    'Your token is kept until you close this browser tab, so that you can reload the page. Operations survive a reload too, without the values in them. Variables, other headers and responses are not saved.',
  copyAs: 'Copy as',
  copyLink: 'Copy link',
  linkCopied: 'Link copied. It opens this operation without variables, headers and the values in it.',
  linkNotCopied: 'Not copied: the document has a syntax error.',
  linkIgnored: 'The link has no valid operation, so it was ignored. Copy the link again, or copy the operation itself.',
  copied: 'copied',
  notCopied: 'not copied',
  copiedAs: (form: string) => `Copied as ${form}.`,
  copiedWithoutToken: (form: string) => `Copied as ${form}, with placeholders for secrets.`,
  notCopiedAs: 'Not copied: the browser did not allow it.',
  forms: { curl: 'curl', fetch: 'fetch', hook: 'Apollo hook', urql: 'urql hook' },
  oneDocument: '1 document',
  documents: (count: number) => `${count} documents`,
  settingsUnread: (status: number) => `The explorer's settings could not be loaded (HTTP ${status}).`,
  reload: 'Reload the page when padron is running again.',
  notSent: (reason: string) => `The request failed (${reason}). Is padron running?`,
  noGraphql: (status: number) => `The server answered HTTP ${status} without a GraphQL response.`,
  fileMissing: (paths: readonly string[]) =>
    `Not sent: no file is attached for ${paths.join(' and ')}. Attach it in the Files panel.`,
  truncated: (bytes: number) => `${bytes.toLocaleString('en')} bytes: view or save them in the Files panel`,
  bytes: (bytes: number) => `${bytes.toLocaleString('en')} bytes`,
  panels: { money: 'Money', batch: 'Batch', files: 'Files', sandbox: 'Sandbox', glossary: 'Glossary' },
  sandbox: {
    intro: 'All people are invented, and no call uses your units.',
    howTo: 'Click a name to fill in the variables of the open operation, or an identifier to copy it.',
    search: 'Search the sandbox',
    searchExample: 'Name, NSS, CURP, credit, rate-limited…',
    identifiers: {
      nss: 'NSS',
      curp: 'CURP',
      rfc: 'RFC',
      registration: 'registration',
      number: 'licence',
      folio: 'certificate',
      paternalSurname: 'surname',
      token: 'token',
    } as Readonly<Record<string, string>>,
    people: 'People',
    employers: 'Employers',
    tokens: 'Tokens',
    tokensAbout: 'For the header authorization.',
    cards: 'Test cards',
    cardsAbout: 'The service fails for these identifiers.',
    fillIn: (title: string) => `Fill in ${title}`,
    filled: (names: readonly string[]) => `Filled in: ${names.join(', ')}.`,
    noPlace: 'The open operation has no variable for these identifiers.',
    unreadable: 'The variables are not valid JSON, so nothing was filled in.',
    copy: (name: string, value: string) => `Copy ${name} ${value}`,
  },
  units: (units: number) => (units === 1 ? '1 unit' : `${units.toLocaleString('en')} units`),
  /** Writes decimal text, which a number would round, as pesos. */
  pesos: (amount: string) => pesos.format(amount as `${number}`),
  unitWord: (units: number): string => (units === 1 ? 'unit' : 'units'),
  calls: (calls: number) => (calls === 1 ? '1 call' : `${calls} calls`),
  replays: (answers: number) => (answers === 1 ? '1 answer reused' : `${answers} answers reused`),
  price: {
    label: (words: string) => `Price: ${words}`,
    loading: 'Calculating the price…',
    unknown: (reason: string) => `Not available. ${reason}`,
    aboveBudget: (words: string, budget: number) => `${words}, above the budget of ${budget}`,
    unbounded: (units: string) => `About ${units}, without an upper limit`,
    atMost: (units: string) => `${units} at most`,
    free: 'Free',
    headersUnread: 'The headers are not valid JSON.',
    variablesUnread: 'The variables are not valid JSON.',
    needs: (names: readonly string[]) => `Enter a value for ${names.map((name) => `$${name}`).join(', ')}.`,
    missing: 'The graph did not return a price.',
    emptyDocument: 'The document is empty.',
    noOperation: 'The document contains no operation.',
    unparsed: 'The document has a syntax error.',
  },
  errors: {
    overBudget: (units: string, budget: number) =>
      `The operation may cost ${units}, but its budget is ${budget}. No call was sent.`,
    rejectedVariable: (_variable: string, _type: string, message: string) => `A variable is rejected. ${message}`,
    /** Empty, because the server's messages are in English. */
    byCode: {} as Readonly<Record<string, string>>,
  },
  answerWithin: {
    label: 'Time to wait for the registries',
    about:
      'How long the response waits for the registries. After that it is shown again as answers arrive. They are paid for once.',
    all: 'all',
  },
  money: {
    before: 'Before the run',
    last: 'Last run',
    fieldAndEndpoint: 'Field, endpoint',
    calls: 'Calls',
    units: 'Units',
    unbounded:
      'The price has no upper limit, because a list of unknown length contains a paid field. The estimate assumes two receipts a month, the usual number, but a month may have more. To limit the spending, set the header x-max-units.',
    notSentAbout: 'These calls will not be sent and cost nothing:',
    notSent: 'Not sent',
    balance: (balance: string, sufficient: boolean | null) =>
      `The account has ${balance} units${sufficient === false ? ', which is not enough.' : '.'}`,
    notRunYet: 'Run the operation to see its actual cost.',
    nothingSpent: 'The operation called no registry and spent nothing.',
    spent: 'spent',
    saved: 'saved',
    uncertain: 'uncertain',
    spentUnits: (units: string) => `${units} spent`,
    savedUnits: (units: number) => `${units} saved`,
    uncertainUnits: (units: number) => `${units} uncertain`,
    uncertainAbout: (units: string) =>
      `Calls without a usable response may have cost up to ${units}. The service's statement shows the actual charge.`,
    callList: 'Registry calls and reused answers',
    noCall: 'No call was made.',
    stillRunning: 'still running',
    servedFrom: {
      LIVE: 'live',
      REPLAY: 'reused',
      SANDBOX: 'sandbox mode',
      NOT_SENT: 'not sent',
    } as Readonly<Record<string, string>>,
  },
  ledger: ledgerEnglish,
  batch: batchEnglish,
  glossary: {
    intro: 'Click a field to read its documentation.',
    search: 'Search the glossary',
  },
  files: {
    attach: 'Attach',
    noUpload: 'The variables of this tab do not accept a file. To attach one, set a variable to',
    asInTab: 'as in the tab SignatureCheck.',
    remove: 'Remove',
    removeFrom: (slot: string) => `Remove ${slot}`,
    testCredentials: "Or one of the sandbox's test credentials",
    choose: 'Choose…',
    password: 'password',
    credentials: {
      person: 'person',
      company: 'company',
      revoked: 'revoked',
      expired: 'expired',
      seal: 'seal (not an e.firma)',
    } as Readonly<Record<string, string>>,
    keep: 'Keep my files for the next run',
    keepAbout:
      'Files stay in the memory of this page only. If you do not select this, they are discarded after they are sent.',
    documents: 'Documents of the last response',
    none: 'None. Select content or url of a document to view and save it here.',
    openLink: 'Open the signed link',
    unreadable: 'The file cannot be decoded.',
    view: 'View',
    save: 'Save',
  },
};

export type Texts = typeof english;
