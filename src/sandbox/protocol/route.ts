import type { X509Certificate } from 'node:crypto';
import type { Account } from '../accounts/accounts';
import type { Balances } from '../accounts/balances';
import type { LinkFailure, SignedLinks } from '../documents/signed-links';
import type { Protocol, ServiceResponse } from './responses';

/** Inputs by which a registry finds its subject, and which a test card can stand for. */
export type IdentifierKind =
  | 'nss'
  | 'curp'
  | 'licence'
  | 'folio'
  | 'surname'
  | 'rfc'
  | 'registration'
  | 'obligatedSubject';

/** One input of an endpoint, with its rule. */
export interface Field {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'boolean' | 'file';
  readonly required: boolean;
  readonly identifier?: IdentifierKind;
  /** Says what is wrong with a value, in the service's words; undefined for a valid one. */
  readonly validate?: (value: string) => string | undefined;
}

/** What an endpoint may use besides its input. */
export interface Dependencies {
  readonly now: () => Date;
  readonly links: SignedLinks;
  readonly balances: Balances;
  readonly authorities: readonly X509Certificate[];
}

/** A question that has passed every check. */
export interface Question {
  readonly values: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, Buffer>>;
  readonly account: Account;
  /** Scheme and host by which the client reached us: links go back the same way. */
  readonly origin: string;
  readonly dependencies: Dependencies;
  readonly linkFailure?: LinkFailure;
}

/** An endpoint of the service. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** As the interface writes it, with {braces} for what varies. */
  readonly path: string;
  readonly protocol: Protocol;
  readonly inputFrom: 'query' | 'json' | 'form' | 'nothing';
  readonly units: number;
  readonly permission?: string;
  readonly fields: readonly Field[];
  readonly answer: (question: Question) => ServiceResponse | Promise<ServiceResponse>;
}

export function toEndpointName(route: Pick<Route, 'method' | 'path'>): string {
  return `${route.method} ${route.path}`;
}
