import { type GraphQLRequestContextResponseForOperation, type GraphQLResponse, HeaderMap } from '@apollo/server';
import { besideBalance, estimateUnits, TooManyQuestions } from '../../../graph/money/estimate';
import type { UnitEstimate } from '../../../graph/money/types';
import type { Units } from '../../../registry/units';
import type { RequestContext } from '../../request-context';

/** The price of an operation where only that is asked for, or its rejection where it is above the budget; null where it may run. */
export async function answerOrReject(
  {
    contextValue: context,
    schema,
    document,
    operationName,
    request,
  }: GraphQLRequestContextResponseForOperation<RequestContext>,
  countError: (code: string) => void,
): Promise<GraphQLResponse | null> {
  const { dryRun, units } = context;
  if (!dryRun && units.budget === null) return null;
  const reject = (error: Rejection, status = 200): GraphQLResponse => {
    countError(error.extensions.code);
    return toResponse({ data: null, errors: [error] }, status);
  };
  const asked = { schema, document, operationName, rows: [request.variables ?? {}], dataset: null };
  const estimate = await estimateUnits(asked, context).catch(nullWhereTooMany);
  if (estimate === null) return reject(tooManyQuestions, 400);
  if (dryRun) return toResponse({ data: null, extensions: { estimate: await besideBalance(estimate, context) } });
  if (units.budget === null || estimate.estimatedUnits <= units.budget) return null;
  return reject(budgetExceeded(units.budget, estimate));
}

/** Adds what the request has spent, as a header and, where it asked for anything that costs, beside its data. */
export function addUnits({ http, body }: GraphQLResponse, units: Units): void {
  http.headers.set('x-units-spent', String(units.spent));
  if (!units.asked || body.kind !== 'single') return;
  const { spent, uncertain, saved, calls } = units;
  body.singleResult.extensions = { ...body.singleResult.extensions, units: { spent, uncertain, saved, calls } };
}

type SingleResult = Extract<GraphQLResponse['body'], { kind: 'single' }>['singleResult'];

interface Rejection {
  readonly message: string;
  readonly extensions: { readonly code: string };
}

function toResponse(singleResult: SingleResult, status = 200): GraphQLResponse {
  return { http: { headers: new HeaderMap(), status }, body: { kind: 'single', singleResult } };
}

function nullWhereTooMany(error: unknown): null {
  if (error instanceof TooManyQuestions) return null;
  throw error;
}

const tooManyQuestions = {
  message: 'The operation asks too many questions to tell its price. Nothing was asked. Ask for fewer at once.',
  extensions: { code: 'OPERATION_TOO_LARGE' },
};

function budgetExceeded(budget: number, estimate: UnitEstimate) {
  const { estimatedUnits } = estimate;
  return {
    message: `The operation may cost ${estimatedUnits} units; its budget is ${budget}. Nothing was asked.`,
    extensions: { code: 'UNIT_BUDGET_EXCEEDED', budget, estimate },
  };
}
