import { parseDayFirstDate } from '../../../identifiers/dates';
import { parseDecimal } from '../../../identifiers/decimals';
import type { Answer } from '../../../registry/answer/answer';
import { problem } from '../../../registry/answer/problem';
import type { Context } from '../../core/context';
import { combine } from '../../core/lookup/input';
import { lookUp, mapRecords, withProblems } from '../../core/lookup/lookup';
import { resolveRegistration } from '../employer/identifiers';
import type { Employer } from '../employer/types';
import { listReceipts, type PeriodQuestion, type ReceiptList, type ReceiptRecord } from './endpoints';
import { validatePeriod } from './identifiers';
import type { EmployerReceipt, ReceiptsLookup } from './types';

/** Lists the receipts of one month. */
export async function listMonth(context: Context, employer: Employer, period: string): Promise<ReceiptsLookup> {
  const question = combine<PeriodQuestion>({
    registration: resolveRegistration(context, employer),
    period: validatePeriod(context, period),
  });
  const toFields = (payload: ReceiptList | null, answer: Answer<ReceiptList>) => {
    const records = mapRecords(answer, payload?.comprobantes ?? null, (record) => toReceipt(record, employer, period));
    return {
      ...emptyReceipts(period),
      count: records && (payload?.meta?.count ?? records.length),
      warnings: payload?.meta?.warnings ?? [],
      records,
    };
  };
  const lookup = await lookUp(context, listReceipts, question, toFields);
  // A month without receipts is an empty list. A 404 means that the service does not know the registration.
  if (lookup.outcome !== 'NOT_FOUND' || lookup.evidence.status !== 404) return lookup;
  return withProblems(context, lookup, [problem('EMPLOYER_UNKNOWN', { path: ['registration'] })]);
}

/** Returns the fields of a lookup of a month without an answer. */
export const emptyReceipts = (period: string) => ({ period, count: null, warnings: [], records: null });

function toReceipt(record: ReceiptRecord, employer: Employer, period: string): EmployerReceipt {
  return {
    employer,
    period,
    folio: record.folio_sua,
    paidOn: parseDayFirstDate(record.fecha_pago),
    amount: parseDecimal(record.importe),
    amountText: record.importe_texto,
    amountInWords: record.importe_spell,
  };
}
