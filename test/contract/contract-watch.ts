import { documentedLinks, openApi } from '../support/registry-interface';
import { type Call, contract } from './contract';
import { type Ask, asked } from './service-calls';

/** Calls a running service, checks each answer against the OpenAPI document and records its status. */
export interface ContractWatch {
  held(question: Ask, token?: string): Promise<Call>;
  /** Sends requests one after the other. Returns the distinct statuses. */
  statusesOf(questions: readonly Ask[], token?: string): Promise<readonly number[]>;
  /** Returns the documented statuses that were not received yet, as `POST /path 404`. */
  unseen(): readonly string[];
}

export function contractWatch(url: () => string, usualToken: string): ContractWatch {
  const { check } = contract();
  const seen = new Set<string>();
  const held = async (question: Ask, token = usualToken): Promise<Call> => {
    const call = await asked(url(), question, token);
    const violations = check(call);
    if (violations.length > 0) throw new Error([...violations, JSON.stringify(call.body).slice(0, 1000)].join('\n'));
    seen.add(`${call.method} ${templateOf(call.path)} ${call.status}`);
    return call;
  };
  const statusesOf = async (questions: readonly Ask[], token = usualToken): Promise<readonly number[]> => {
    const statuses = new Set<number>();
    for (const question of questions) statuses.add((await held(question, token)).status);
    return [...statuses].sort();
  };
  return { held, statusesOf, unseen: () => documented().filter((entry) => !seen.has(entry)) };
}

function templateOf(path: string): string {
  return documentedLinks.find((link) => path.startsWith(link.slice(0, link.indexOf('{')))) ?? path;
}

function documented(): readonly string[] {
  return Object.entries(openApi.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { responses }]) =>
      Object.keys(responses).map((status) => `${method.toUpperCase()} ${path} ${status}`),
    ),
  );
}
