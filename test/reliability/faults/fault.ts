import type { EnvelopeKind } from '../../../src/registry/endpoint/endpoint';
import type { StandIn, Tamper } from '../../support/proxies/tampering-proxy';

/** A field's report of one call. If `code` is null, the answer may have any problems. */
export interface LookupReport {
  readonly outcome: 'FOUND' | 'NOT_FOUND' | 'UNAVAILABLE';
  readonly code: string | null;
  readonly billing: 'CHARGED' | 'UNKNOWN' | 'NOT_CHARGED';
}

/** A fault of the service, and the reports that are correct for it. */
export interface Fault {
  readonly name: string;
  readonly allowedReports: readonly LookupReport[];
  readonly tamper: Tamper;
  /** Answers instead of the service, so that nothing is charged. */
  readonly standIn?: StandIn;
  /** Number of requests that the endpoint receives. More than one is correct only if the first was free. */
  readonly calls?: number;
  /** Kinds of answers that can have the fault. Default: all. */
  readonly opens?: readonly EnvelopeKind[];
}

export const found: LookupReport = { outcome: 'FOUND', code: null, billing: 'CHARGED' };
export const nothing: LookupReport = { outcome: 'NOT_FOUND', code: null, billing: 'CHARGED' };
export const unusable: LookupReport = { outcome: 'UNAVAILABLE', code: 'UNUSABLE_ANSWER', billing: 'UNKNOWN' };
export const unreachable: LookupReport = { outcome: 'UNAVAILABLE', code: 'REGISTRY_UNREACHABLE', billing: 'UNKNOWN' };
export const overdue: LookupReport = { outcome: 'UNAVAILABLE', code: 'REGISTRY_TIMEOUT', billing: 'UNKNOWN' };
export const limited: LookupReport = { outcome: 'UNAVAILABLE', code: 'RATE_LIMITED', billing: 'NOT_CHARGED' };

export const json: readonly EnvelopeKind[] = ['record', 'list', 'confirmation', 'document'];
export const enveloped: readonly EnvelopeKind[] = ['record', 'list', 'confirmation'];
/** Answers with records. */
export const carrying: readonly EnvelopeKind[] = ['record', 'list', 'document'];
