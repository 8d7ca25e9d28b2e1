import { Arg, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { monthsBetween, parseDayFirstDate, parseInstant } from '../../../identifiers/dates';
import { parseDecimal } from '../../../identifiers/decimals';
import { checkReceiptFolio } from '../../../identifiers/document';
import { parseWebUrl, toPlainText } from '../../../identifiers/normalise';
import type { Answer } from '../../../registry/answer/answer';
import { problem } from '../../../registry/answer/problem';
import type { LookupContext } from '../../core/context';
import {
  combine,
  isInvalid,
  lookUp,
  mapRecords,
  missingIdentifier,
  rejectedAnswer,
  toLookup,
  type Validated,
  valid,
  validate,
  validateText,
  withProblems,
} from '../../core/lookup/lookup';
import { PaidField } from '../../core/paid-field';
import { YearMonth } from '../../core/scalars/scalars';
import type { ExpectedReceipt } from '../cfdi/types';
import { domainCodes } from '../codes';
import { resolveRegistration } from '../employer/identifiers';
import { Employer } from '../employer/types';
import type { RegistryFile } from '../files/types';
import {
  type DownloadQuestion,
  downloadReceipt,
  type FileDescriptor,
  listReceipts,
  type PeriodQuestion,
  type ReceiptList,
  type ReceiptRecord,
} from './endpoints';
import { maxAmountTextLength, validatePeriod, validateRange } from './identifiers';
import { EmployerReceipt, ReceiptFilesLookup, ReceiptsLookup } from './types';

async function listMonth(context: LookupContext, employer: Employer, period: string): Promise<ReceiptsLookup> {
  const question = combine<PeriodQuestion>({
    registration: resolveRegistration(context, employer),
    period: validatePeriod(context, period),
  });
  const toFields = (payload: ReceiptList | null, answer: Answer<ReceiptList>) => {
    const receipts = payload === null ? null : payload.comprobantes;
    const records = mapRecords(answer, receipts, (record) => toReceipt(record, employer, period));
    return {
      ...emptyReceipts(period),
      count: payload?.meta?.count ?? records?.length ?? null,
      warnings: payload?.meta?.warnings ?? [],
      records,
    };
  };
  const lookup = await lookUp(context, listReceipts, question, toFields);
  // A month without receipts is an empty list. A 404 means that the service does not know the registration.
  if (lookup.outcome !== 'NOT_FOUND' || lookup.evidence.status !== 404) return lookup;
  return withProblems(context, lookup, [problem(domainCodes.EMPLOYER_UNKNOWN, { path: ['registration'] })]);
}

const emptyReceipts = (period: string) => ({ period, count: null, warnings: [], records: null });

function toReceipt(record: ReceiptRecord, employer: Employer, period: string): EmployerReceipt {
  return {
    employer,
    period,
    folio: record.folio_sua ?? null,
    paidOn: parseDayFirstDate(record.fecha_pago),
    amount: parseDecimal(record.importe),
    amountText: record.importe_texto,
    amountInWords: record.importe_spell,
  };
}

const inlineArgument = {
  defaultValue: false,
  description: 'Request the bytes in the same answer instead of links. The price is the same.',
};

@Resolver(() => Employer)
export class EmployerReceiptsResolver {
  @FieldResolver(() => ReceiptsLookup, {
    nullable: true,
    description: 'Receipts of one month. A month that has not begun in Mexico City is INVALID_INPUT, at no cost.',
  })
  @PaidField(listReceipts)
  receipts(
    @Root() employer: Employer,
    @Arg('period', () => YearMonth, { description: 'The month.' }) period: string,
    @Ctx() context: LookupContext,
  ): Promise<ReceiptsLookup> {
    return listMonth(context, employer, period);
  }

  @FieldResolver(() => [ReceiptsLookup], {
    nullable: true,
    description:
      'Receipts of each month from `from` to `to`, both included, 36 at most: one call per month, each with its own outcome; months that have not begun in Mexico City are INVALID_INPUT, at no cost. A wrong range is one INVALID_INPUT lookup.',
  })
  @PaidField(listReceipts, 12)
  async receiptsBetween(
    @Root() employer: Employer,
    @Arg('from', () => YearMonth, { description: 'The first month.' }) from: string,
    @Arg('to', () => YearMonth, { description: 'The last month.' }) to: string,
    @Ctx() context: LookupContext,
  ): Promise<ReceiptsLookup[]> {
    const invalidRange = validateRange(context, from, to);
    if (invalidRange !== null)
      return [toLookup(rejectedAnswer(context, listReceipts, invalidRange), [], emptyReceipts(from))];
    return Promise.all(monthsBetween(from, to).map((period) => listMonth(context, employer, period)));
  }

  @FieldResolver(() => ReceiptFilesLookup, {
    nullable: true,
    description: 'The files of one receipt, by its folio, without paying for the list.',
  })
  @PaidField(downloadReceipt)
  receiptFiles(
    @Root() employer: Employer,
    @Arg('period', () => YearMonth, { description: 'The month of the receipt.' }) period: string,
    @Arg('folio', () => String, { description: 'The receipt folio, 1 to 25 digits.' }) folio: string,
    @Arg('amountText', () => String, {
      nullable: true,
      description: 'The REST parameter `importe`: the amount as text, at most 40 characters.',
    })
    amountText: string | null,
    @Arg('inline', () => Boolean, inlineArgument) inline: boolean,
    @Ctx() context: LookupContext,
  ): Promise<ReceiptFilesLookup> {
    const question = combine<DownloadQuestion>({
      registration: resolveRegistration(context, employer),
      period: validatePeriod(context, period),
      folio: validate(context, toPlainText(folio), checkReceiptFolio, ['folio']),
      amountText: validateText(amountText, maxAmountTextLength, 'amountText'),
      inline: valid(inline),
    });
    return download(context, question, null);
  }
}

@Resolver(() => EmployerReceipt)
export class ReceiptFilesResolver {
  @FieldResolver(() => ReceiptFilesLookup, {
    nullable: true,
    description: `The receipt's PDF and XML.
\`inline\` asks the service for the bytes in the same answer; without it \`content\` and \`xml { cfdi }\` fetch the signed link,
which costs nothing.`,
  })
  @PaidField(downloadReceipt)
  files(
    @Root() receipt: EmployerReceipt,
    @Arg('inline', () => Boolean, inlineArgument) inline: boolean,
    @Ctx() context: LookupContext,
  ): Promise<ReceiptFilesLookup> {
    const question = combine<DownloadQuestion>({
      registration: resolveRegistration(context, receipt.employer),
      period: valid(receipt.period),
      folio:
        receipt.folio === null
          ? missingIdentifier('the receipt folio', ['folio'])
          : validate(context, receipt.folio, checkReceiptFolio, ['folio']),
      amountText: valid(null),
      inline: valid(inline),
    });
    return download(context, question, receipt.amount);
  }
}

/** Downloads the files of a receipt. `amount` is the one in the list, or null if the list was not requested. */
function download(
  context: LookupContext,
  question: Validated<DownloadQuestion>,
  amount: string | null,
): Promise<ReceiptFilesLookup> {
  return lookUp(context, downloadReceipt, question, (payload) => {
    const expiresAt = parseInstant(payload?.meta?.expires_at ?? null);
    return {
      warnings: payload?.meta?.warnings ?? [],
      cacheStore: payload?.meta?.cache_store ?? null,
      pdf: payload?.files.pdf ? toFile(payload.files.pdf, expiresAt, null) : null,
      xml: payload?.files.xml
        ? toFile(payload.files.xml, expiresAt, toExpectedReceipt(question, amount, payload.files.xml))
        : null,
    };
  });
}

function toExpectedReceipt(
  question: Validated<DownloadQuestion>,
  amount: string | null,
  source: FileDescriptor,
): ExpectedReceipt | null {
  return isInvalid(question) ? null : { ...question.value, amount, source };
}

function toFile(file: FileDescriptor, expiresAt: string | null, receipt: ExpectedReceipt | null): RegistryFile {
  const url = parseWebUrl(file.url);
  return {
    filename: file.filename,
    contentType: file.content_type,
    sizeBytes: file.size_bytes,
    url,
    expiresAt: url === null ? null : expiresAt,
    inlineContent: file.base64,
    receipt,
  };
}
