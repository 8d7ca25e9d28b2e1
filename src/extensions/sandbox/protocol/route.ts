import type { X509Certificate } from 'node:crypto';
import type { Account } from '../accounts/accounts';
import type { Balances } from '../accounts/limits';
import type { LinkFailure, SignedLinks } from '../documents/signed-links';
import type { Protocol, ServiceResponse } from './responses';

/** Kinds of identifiers. A registry finds its subject by them, and a test card can replace them. */
export type IdentifierKind =
  | 'nss'
  | 'curp'
  | 'licence'
  | 'folio'
  | 'surname'
  | 'rfc'
  | 'registration'
  | 'obligatedSubject';

export interface Field {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'boolean' | 'file' | 'scalar';
  readonly required: boolean;
  readonly identifier?: IdentifierKind;
  /** Returns the service's message about an invalid value, or undefined if the value is valid. */
  readonly validate?: (value: string) => string | undefined;
}

export interface Dependencies {
  readonly now: () => Date;
  readonly links: SignedLinks;
  readonly balances: Balances;
  readonly authorities: readonly X509Certificate[];
}

/** A request that has passed all checks. */
export interface Question {
  readonly values: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, Buffer>>;
  readonly account: Account;
  /** Origin that the client used. Links start with it. */
  readonly origin: string;
  readonly dependencies: Dependencies;
  readonly linkFailure?: LinkFailure;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  /** Path as the interface writes it, with variable parts in {braces}. */
  readonly path: string;
  readonly protocol: Protocol;
  readonly inputFrom: 'query' | 'json' | 'form' | 'nothing';
  readonly units: number;
  readonly permission?: string;
  readonly fields: readonly Field[];
  readonly answer: (question: Question) => ServiceResponse | Promise<ServiceResponse>;
}

/** What an endpoint costs, and the statuses that are charged. */
export interface Terms {
  readonly units: number;
  readonly charged: ReadonlySet<number>;
}

/** Returns the terms without a price list: 200 and 404 are charged, because these are answers of the registry. */
export const ownTerms = ({ units }: Route): Terms => ({ units, charged: new Set([200, 404]) });

export function toEndpointName(route: Pick<Route, 'method' | 'path'>): string {
  return `${route.method} ${route.path}`;
}

const common = { method: 'POST', protocol: 'common', inputFrom: 'query', units: 1 } as const;
const portal = { method: 'POST', protocol: 'portal', inputFrom: 'json', units: 1 } as const;

type Answer = Route['answer'];

/** Returns an endpoint in the common envelope. Without a permission, every token may call it. */
export const commonRoute = (
  path: string,
  permission: string | null,
  fields: readonly Field[],
  answer: Answer,
): Route => ({ ...common, path, fields, answer, ...(permission === null ? {} : { permission }) });

export const portalRoute = (path: string, fields: readonly Field[], answer: Answer): Route => ({
  ...portal,
  path,
  fields,
  answer,
});
