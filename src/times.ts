/**
 * Leases, heartbeats, polls, retries, delays and graces, in milliseconds. No setting changes them, but tests shorten some of them
 * (`test/support/quick-tests.ts`).
 */
export const times = {
  /** Interval of the heartbeats of a process in the store. */
  beat: 1_000,
  /** Interval at which an embedded store, which needs no heartbeats, deletes what has expired. */
  embeddedPurge: 60_000,
  /** Silence after which a process is declared dead, and others may take over its calls. */
  lease: 6_000,
  /**
   * Time after the last heartbeat in which a process sends the calls that it has opened. It is shorter than the 5 s in which `call_open` opens
   * calls, and these are shorter than the lease.
   */
  hold: 4_000,
  /** Delay before a store in memory is opened, so that the server can answer its first request earlier. */
  memoryStoreDelay: 1_000,

  /** Delay of the closing of a replay, so that several are written together. Processes may wait for the closing of a call. */
  closingDelay: 1_000,
  /** Delay before a closing is written again while the store is unavailable. */
  closingRetry: { first: 250, max: 2_000 },
  /** Time that a process which stops has for its closings. The entries of the others become UNKNOWN. */
  closingGrace: 10_000,
  /** Interval of the polls for a call of another process, in case its notification is lost or cannot be received. */
  callPoll: 400,
  /** Delay before a store that did not reply, or that replied "later", is asked again. */
  callRetry: 150,
  /** Interval of the checks whether the store is available, while a response waits for its entries. */
  entriesPoll: 250,

  /** Time in which a follow-up gets a free failure that names no `retryAfter`, before it asks again. One that may have been charged is kept. */
  freeFailure: 10_000,

  /** Time for which a copy of what budgets have left is used, and the time that a response waits for a new one. */
  budgetsCopied: 5_000,
  budgetsWait: 1_000,
  /** Time in which the store answers a lookup for a price. Otherwise kept answers do not count. */
  priceWait: 2_000,

  /** Interval at which a process that has put a new price list looks whether the others price by it. */
  pricesPoll: 100,

  /** Interval of the polls for a running request with the same idempotency key. */
  requestPoll: 200,
  /** Delay before the result of a request that the store has missed is written again. */
  resultRetry: 1_000,

  /** Interval of the polls for events to send. */
  eventPoll: 1_000,
  /** Time limit for the answer of the receiver of an event. */
  eventAnswer: 10_000,
  /** Time that a process has to deliver an event. After that, other processes may deliver it, so it is longer than `eventAnswer`. */
  eventLease: 20_000,

  /** Interval of the polls for batches to price or to run. */
  batchCycle: 1_000,
  /** Interval of the polls for rows of a running batch. */
  rowPoll: 200,
  /** Delay before a row is tried again. It doubles with each try. */
  rowRetry: { first: 1_000, max: 60_000 },
  /** Maximum time in which a batch starts no rows after a failure that affects all of them. */
  batchPause: 10_000,

  /** Time without new connections to the store after the server has refused one. */
  connectionRetry: 1_000,
  /** Delay before the connection for notifications is opened again. */
  listenRetry: 1_000,
  /** Delay before a statement is sent again while the store is unavailable. */
  statementRetry: { first: 100, max: 2_000 },
  /** Delay before the first run that deletes old rows, and between two runs. The first run is soon after the start, because some processes run for less than an hour. */
  purge: { first: 60_000, every: 3_600_000 },

  /** Interval at which the files of secrets are read again. Kubernetes takes about a minute to change them. */
  secretFiles: 10_000,

  /** Pause after which a registry that failed is tried again. */
  circuitReset: 10_000,
  /** Time in which a token is not checked again after the service has accepted or rejected it. */
  knownAccount: { accepted: 3_600_000, rejected: 30_000 },
  /** Time that busy connections stay open after the last response, when the server stops. */
  closeGrace: 500,
};
