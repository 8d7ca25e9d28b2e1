import type { CallBackend, OpenCall, PayerCall, PayerCalls } from './call';

const openCall: OpenCall = {
  ledgerId: null,
  onExchange: null,
  isHeld: () => true,
  close: () => undefined,
  release: () => undefined,
  fail: () => undefined,
};

const call: PayerCall = {
  find: async () => ({ kind: 'absent', lostUnits: 0 }),
  open: async () => ({ kind: 'send', lostUnits: 0, call: openCall }),
  leave: () => undefined,
};

const calls: PayerCalls = {
  begin: () => call,
  findKept: async () => undefined,
  recordShared: () => null,
  link: () => undefined,
  recordSavings: () => undefined,
  written: async () => undefined,
};

/** The backend of a process without a store. Its running calls and its answers are in `InFlightCalls` and `MemoryAnswers`. */
export const memoryBackend: CallBackend = {
  of: () => calls,
  findAnswer: () => undefined,
  publish: () => undefined,
  sharePause: () => undefined,
  close: async () => undefined,
};
