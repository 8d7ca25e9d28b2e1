import { type GraphQLRequestContextResponseForOperation, type GraphQLResponse, HeaderMap } from '@apollo/server';
import { Kind } from 'graphql';
import { addAmount, addBalance, estimateUnits, UnlimitedBatchError } from '../../../graph/core/pricing/estimate';
import type { UnitEstimate } from '../../../graph/core/pricing/types';
import { joinTexts, type Language, say } from '../../../identifiers/text';
import { TooManyQuestionsError } from '../../../money/calls/dry-run-data-source';
import type { PayerCalls } from '../../../money/calls/life/call';
import type { UnitMeter } from '../../../money/calls/units/unit-meter';
import { inLanguage } from '../../../registry/answer/problem';
import { describePurposes, type PurposeRules } from '../../../registry/caller';
import type { RequestContext } from '../../request-context';

type SingleResult = Extract<GraphQLResponse['body'], { kind: 'single' }>['singleResult'];

/** Wraps a result that a plugin returns instead of running the operation. */
export function toPluginResponse(singleResult: SingleResult, status = 200): GraphQLResponse {
  return { http: { headers: new HeaderMap(), status }, body: { kind: 'single', singleResult } };
}

type ResolvedRequest = GraphQLRequestContextResponseForOperation<RequestContext>;

export class UnitBudget {
  constructor(
    private readonly countError: (code: string) => void,
    private readonly urlOf: (code: string) => string | null,
    private readonly purposes: PurposeRules,
  ) {}

  /** Returns the response of an operation that does not run. Null if it may run. Throws if its price cannot be found. */
  async intercept(resolved: ResolvedRequest): Promise<GraphQLResponse | null> {
    const { dryRun, units, lacksPurpose, isTool, language, payerCalls } = resolved.contextValue;
    const whole = dryRun ? null : await payerCalls.wholeBudget();
    if (!dryRun && units.left === null && !lacksPurpose && !isTool && whole === null) return null;
    const estimate = await this.estimate(resolved, dryRun === 'now');
    if ('message' in estimate) return this.reject(estimate, 400);
    if (dryRun) {
      const extensions = { estimate: await addBalance(estimate, resolved.contextValue) };
      return isForRouter(resolved)
        ? this.reject(nothingRun, 200, extensions)
        : toPluginResponse({ data: null, extensions });
    }
    if (isTool && estimate.invalidRows > 0) return this.reject(invalidInput(estimate), 400);
    if (lacksPurpose && estimate.atMost !== 0) return this.reject(purposeMissing(this.purposes, language), 400);
    const own = units.left ?? Number.POSITIVE_INFINITY;
    const left = Math.min(own, whole?.left ?? Number.POSITIVE_INFINITY);
    if (estimate.estimatedUnits <= left) return null;
    // Paid answers in the replay window cost nothing. They are looked up only if the operation exceeds its budget
    // without them.
    const remaining = await this.estimate(resolved, true);
    if ('message' in remaining) return this.reject(remaining, 400);
    const { estimatedUnits } = remaining;
    if (estimatedUnits <= left) return null;
    units.refused += 1;
    const priced = await addAmount(remaining, resolved.contextValue);
    if (whole === null || estimatedUnits > own) return this.reject(budgetExceeded(units, priced), 200);
    const { code, message, retryAfter } = inLanguage(whole.refuse(estimatedUnits), language);
    const shown = whole.isShown ? { left } : {};
    return this.reject({ message, extensions: { code, retryAfter, ...shown, estimate: priced } }, 200);
  }

  private async estimate(resolved: ResolvedRequest, skipsPaid: boolean): Promise<UnitEstimate | Rejection> {
    const { contextValue, schema, document, operationName, request } = resolved;
    const rows = [request.variables ?? {}];
    const asked = { schema, document, operationName, rows, dataset: null };
    const countsBatches = contextValue.dryRun !== false;
    try {
      return await estimateUnits({ ...asked, skipsPaid, countsBatches }, contextValue);
    } catch (error) {
      if (error instanceof TooManyQuestionsError) return tooManyQuestions(error);
      if (error instanceof UnlimitedBatchError)
        return { message: error.message, extensions: { code: 'BAD_USER_INPUT' } };
      throw error;
    }
  }

  private reject(error: Rejection, status: number, responseExtensions = {}): GraphQLResponse {
    const { code } = error.extensions;
    this.countError(code);
    const url = this.urlOf(code);
    const extensions = url === null ? error.extensions : { ...error.extensions, url };
    const errors = [{ ...error, extensions }];
    return toPluginResponse({ data: null, errors, extensions: responseExtensions }, status);
  }
}

const nothingRun: Rejection = {
  message: 'Nothing was run. Ask `unitEstimate` for the price.',
  extensions: { code: 'DRY_RUN' },
};

/** Whether the client is a router, which drops the `extensions` with the price: it has the secret, or asks for a part of an operation. */
function isForRouter({ operation, contextValue: { fromRouter } }: ResolvedRequest): boolean {
  const { selections = [] } = operation?.selectionSet ?? {};
  return fromRouter || selections.some((field) => field.kind === Kind.FIELD && field.name.value === '_entities');
}

type BudgetsLeft = Awaited<ReturnType<PayerCalls['budgetsLeft']>>;

export function addUnits({ http, body }: GraphQLResponse, units: UnitMeter, left: BudgetsLeft): void {
  http.headers.set('x-units-spent', String(units.spent));
  if (left[0] !== undefined) http.headers.set('x-units-left', String(left[0].left));
  if (body.kind !== 'single') return;
  const { spent, uncertain, saved, settled, calls } = units;
  const budgets =
    left.length === 0 ? {} : { budgets: left.map(({ id: _, wholeOperations: _whole, ...budget }) => budget) };
  const usage = { spent, uncertain, saved, ...(settled.uncertain === 0 ? {} : { settled }), calls, ...budgets };
  body.singleResult.extensions = { ...body.singleResult.extensions, units: usage };
}

interface Rejection {
  readonly message: string;
  readonly extensions: { readonly code: string } & Readonly<Record<string, unknown>>;
}

function tooManyQuestions({ allowed }: TooManyQuestionsError) {
  return {
    message: `The operation asks more than ${allowed} questions, too many to estimate its price. No call was sent. Ask fewer questions in one request.`,
    extensions: { code: 'OPERATION_TOO_LARGE', limit: 'questions', value: null, allowed },
  };
}

/** An agent corrects its input and calls again. It would pay for the rest of the operation in vain. */
const invalidInput = (estimate: UnitEstimate) => ({
  message: 'An argument is not valid. No call was sent.',
  extensions: { code: 'BAD_USER_INPUT', estimate },
});

function purposeMissing(rules: PurposeRules, language: Language): Rejection {
  const missing = {
    english: 'The operation costs units, and names no purpose in the header `x-purpose`. No call was sent.',
    spanish: 'La operación cuesta unidades y no indica su finalidad en el encabezado `x-purpose`. No se consultó.',
  };
  const message = say(joinTexts([missing, describePurposes(rules)], ' '), language);
  return { message, extensions: { code: 'PURPOSE_MISSING' } };
}

function budgetExceeded({ budget: own, lasting, left }: UnitMeter, estimate: UnitEstimate) {
  const { estimatedUnits } = estimate;
  const budget = lasting !== null && left === lasting.left ? lasting.maxUnits : own;
  const isShared = left !== budget;
  const rest = isShared ? `, of which its other requests have left ${left}` : '';
  return {
    message: `The operation may cost ${estimatedUnits} ${estimatedUnits === 1 ? 'unit' : 'units'}, but its budget is ${budget}${rest}. No call was sent.`,
    extensions: { code: 'UNIT_BUDGET_EXCEEDED', budget, ...(isShared ? { left } : {}), estimate },
  };
}
