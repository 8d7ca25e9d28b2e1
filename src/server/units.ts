import { type ApolloServerPlugin, type GraphQLResponse, HeaderMap } from '@apollo/server';
import { besideBalance, estimateUnits, TooManyQuestions } from '../graph/money/estimate';
import type { UnitEstimate } from '../graph/money/types';
import type { UnitMeter } from '../registry/units';
import { fileBytesIn, type RequestContext } from './context';
import { loggableName } from './request-log';
import { noteFileBytes } from './stringify';

/** Money around an operation: its price before it runs, its refusal above the budget, and what it spent after. */
export function tellUnits(failed: (code: string) => void): ApolloServerPlugin<RequestContext> {
  const refused = (error: Refusal, status = 200): GraphQLResponse => {
    failed(error.extensions.code);
    return answer({ data: null, errors: [error] }, status);
  };
  return {
    requestDidStart: async () => ({
      responseForOperation: async ({ contextValue: context, schema, document, operationName, request }) => {
        const { dryRun, units, told } = context;
        told.operation = loggableName(operationName);
        if (!dryRun && units.budget === null) return null;
        const rows = [request.variables ?? {}];
        const plan = { schema, document, operationName, rows, dataset: null };
        const estimate = await estimateUnits(plan, context).catch(nullWhereTooMany);
        if (estimate === null) return refused(beyondCounting, 400);
        if (dryRun) return answer({ data: null, extensions: { estimate: await besideBalance(estimate, context) } });
        if (units.budget === null || estimate.estimatedUnits <= units.budget) return null;
        return refused(tooDear(units.budget, estimate));
      },
      willSendResponse: async ({ contextValue, response }) => {
        const { units } = contextValue;
        response.http.headers.set('x-units-spent', String(units.spent));
        if (!units.hasQuestions || response.body.kind !== 'single') return;
        const { singleResult } = response.body;
        noteFileBytes(singleResult, fileBytesIn(contextValue));
        singleResult.extensions = { ...singleResult.extensions, units: unitsTold(units) };
      },
    }),
  };
}

/** What a request has spent, as `extensions.units` tells it. */
export function unitsTold({ spent, uncertain, saved, calls }: UnitMeter) {
  return { spent, uncertain, saved, calls };
}

type SingleResult = Extract<GraphQLResponse['body'], { kind: 'single' }>['singleResult'];

interface Refusal {
  readonly message: string;
  readonly extensions: { readonly code: string };
}

function answer(singleResult: SingleResult, status = 200): GraphQLResponse {
  return { http: { headers: new HeaderMap(), status }, body: { kind: 'single', singleResult } };
}

function nullWhereTooMany(error: unknown): null {
  if (error instanceof TooManyQuestions) return null;
  throw error;
}

const beyondCounting = {
  message: 'The operation asks too many questions to tell its price. Nothing was asked. Ask for fewer at once.',
  extensions: { code: 'OPERATION_TOO_LARGE' },
};

function tooDear(budget: number, estimate: UnitEstimate) {
  const { estimatedUnits } = estimate;
  return {
    message: `The operation may cost ${estimatedUnits} units; its budget is ${budget}. Nothing was asked.`,
    extensions: { code: 'UNIT_BUDGET_EXCEEDED', budget, estimate },
  };
}
