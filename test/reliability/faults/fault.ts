import type { EnvelopeKind } from '../../../src/registry/endpoint/endpoint';
import type { StandIn, Tamper } from '../../support/proxies/tampering-proxy';

/** What a field tells of one call. `code` null: whatever problems there are, an answer came. */
export interface LookupReport {
  readonly outcome: 'FOUND' | 'NOT_FOUND' | 'UNAVAILABLE';
  readonly code: string | null;
  readonly billing: 'CHARGED' | 'UNKNOWN' | 'NOT_CHARGED';
}

/** One way for the service to fail, and all that a client may rightly be told of it. */
export interface Fault {
  readonly name: string;
  readonly allowedReports: readonly LookupReport[];
  readonly tamper: Tamper;
  /** Answers instead of the service, which then charges nothing. */
  readonly standIn?: StandIn;
  /** Requests that the endpoint may see: more than one only where the first was free. */
  readonly calls?: number;
  /** Answers to which it can happen; by default all. */
  readonly opens?: readonly EnvelopeKind[];
}

export const found: LookupReport = { outcome: 'FOUND', code: null, billing: 'CHARGED' };
export const nothing: LookupReport = { outcome: 'NOT_FOUND', code: null, billing: 'CHARGED' };
export const unusable: LookupReport = { outcome: 'UNAVAILABLE', code: 'UNUSABLE_ANSWER', billing: 'UNKNOWN' };
export const unreachable: LookupReport = { outcome: 'UNAVAILABLE', code: 'REGISTRY_UNREACHABLE', billing: 'UNKNOWN' };
export const overdue: LookupReport = { outcome: 'UNAVAILABLE', code: 'REGISTRY_TIMEOUT', billing: 'UNKNOWN' };
export const limited: LookupReport = { outcome: 'UNAVAILABLE', code: 'RATE_LIMITED', billing: 'NOT_CHARGED' };

/** Answers whose body is JSON. */
export const json: readonly EnvelopeKind[] = ['record', 'list', 'confirmation', 'document'];
/** Answers in the common envelope. */
export const enveloped: readonly EnvelopeKind[] = ['record', 'list', 'confirmation'];
/** Answers that carry rows and columns. */
export const carrying: readonly EnvelopeKind[] = ['record', 'list', 'document'];
