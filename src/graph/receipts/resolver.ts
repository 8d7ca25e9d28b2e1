import { Arg, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import { registrationOf } from '../employer/identifiers';
import { Employer } from '../employer/types';
import type { RegistryFile } from '../files/types';
import { dateFromDayFirst, instant, monthsBetween } from '../formats/dates';
import { decimal } from '../formats/decimals';
import { checked, type Given, invalid, isRefusal, known, type Refusal, together } from '../lookup/input';
import { lookUp, recordsOf, refusedAnswer, shown } from '../lookup/lookup';
import { Asks } from '../paid-field';
import { YearMonth } from '../scalars/scalars';
import { checkReceiptFolio, checkYearMonth } from '../validation/document';
import {
  type DownloadQuestion,
  downloadReceipt,
  type FileDescriptor,
  listReceipts,
  type PeriodQuestion,
  type ReceiptRecord,
} from './endpoints';
import { EmployerReceipt, ReceiptFilesLookup, ReceiptsLookup } from './types';

const longestAmountText = 40;
const mostMonths = 36;

const inlineArgument = {
  defaultValue: false,
  description: 'Ask for the bytes in the same answer instead of links. Costs the same.',
};

@Resolver(() => Employer)
export class EmployerReceiptsResolver {
  @FieldResolver(() => ReceiptsLookup, {
    nullable: true,
    description: 'Receipts of one month. POST /private/comprobantes-fiscales.',
  })
  @Asks(listReceipts)
  receipts(
    @Root() employer: Employer,
    @Arg('period', () => YearMonth, { description: 'The month.' }) period: string,
    @Ctx() context: Context,
  ): Promise<ReceiptsLookup> {
    return listMonth(context, employer, period);
  }

  @FieldResolver(() => [ReceiptsLookup], {
    nullable: true,
    description:
      'Receipts of each month from `from` to `to`, both included, 36 at most: one call a month, each with its own outcome. A wrong range is one INVALID_INPUT lookup. POST /private/comprobantes-fiscales.',
  })
  @Asks(listReceipts, 12)
  async receiptsBetween(
    @Root() employer: Employer,
    @Arg('from', () => YearMonth, { description: 'The first month.' }) from: string,
    @Arg('to', () => YearMonth, { description: 'The last month.' }) to: string,
    @Ctx() context: Context,
  ): Promise<ReceiptsLookup[]> {
    const refusal = rangeRefusal(context, from, to);
    if (refusal !== null) return [shown(refusedAnswer(context, listReceipts, refusal), [], noReceipts(from))];
    return Promise.all(monthsBetween(from, to).map((period) => listMonth(context, employer, period)));
  }

  @FieldResolver(() => ReceiptFilesLookup, {
    nullable: true,
    description:
      'The files of one receipt, by its folio, without buying the list. POST /private/comprobantes-fiscales/descargar.',
  })
  @Asks(downloadReceipt)
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
    @Ctx() context: Context,
  ): Promise<ReceiptFilesLookup> {
    const question = together<DownloadQuestion>({
      registration: registrationOf(context, employer),
      period: checked(context, period, checkYearMonth, ['period']),
      folio: checked(context, folio, checkReceiptFolio, ['folio']),
      amountText: checkAmountText(amountText ?? null),
      inline: known(inline),
    });
    return download(context, question);
  }
}

@Resolver(() => EmployerReceipt)
export class ReceiptFilesResolver {
  @FieldResolver(() => ReceiptFilesLookup, {
    nullable: true,
    description: `The receipt's PDF and XML. POST /private/comprobantes-fiscales/descargar.
\`inline\` asks the service for the bytes in the same answer; without it \`content\` fetches the signed link.`,
  })
  @Asks(downloadReceipt)
  files(
    @Root() receipt: EmployerReceipt,
    @Arg('inline', () => Boolean, inlineArgument) inline: boolean,
    @Ctx() context: Context,
  ): Promise<ReceiptFilesLookup> {
    const question = together<DownloadQuestion>({
      registration: registrationOf(context, receipt.employer),
      period: known(receipt.period),
      folio: checked(context, receipt.folio, checkReceiptFolio, ['folio']),
      amountText: known(null),
      inline: known(inline),
    });
    return download(context, question);
  }
}

function listMonth(context: Context, employer: Employer, period: string): Promise<ReceiptsLookup> {
  const question = together<PeriodQuestion>({
    registration: registrationOf(context, employer),
    period: checked(context, period, checkYearMonth, ['period']),
  });
  return lookUp(context, listReceipts, question, (payload, answer) => ({
    ...noReceipts(period),
    count: payload?.meta?.count ?? null,
    warnings: payload?.meta?.warnings ?? [],
    records: recordsOf(answer, payload?.comprobantes ?? null, (record) => toReceipt(record, employer, period)),
  }));
}

function download(context: Context, question: Given<DownloadQuestion>): Promise<ReceiptFilesLookup> {
  return lookUp(context, downloadReceipt, question, (payload) => {
    const expiresAt = instant(payload?.meta?.expires_at ?? null);
    return {
      warnings: payload?.meta?.warnings ?? [],
      cacheStore: payload?.meta?.cache_store ?? null,
      pdf: payload?.files.pdf ? toFile(payload.files.pdf, expiresAt) : null,
      xml: payload?.files.xml ? toFile(payload.files.xml, expiresAt) : null,
    };
  });
}

function rangeRefusal(context: Context, from: string, to: string): Refusal | null {
  const range = together({
    from: checked(context, from, checkYearMonth, ['from']),
    to: checked(context, to, checkYearMonth, ['to']),
  });
  if (isRefusal(range)) return range;
  if (from > to) return invalid('OUT_OF_RANGE', ['from'], 'The first month is after the last one.');
  const months = monthsBetween(from, to).length;
  if (months <= mostMonths) return null;
  return invalid('OUT_OF_RANGE', ['to'], `The range holds ${months} months; at most ${mostMonths} are asked at once.`);
}

function checkAmountText(value: string | null): Given<string | null> {
  if (value === null || value.length <= longestAmountText) return known(value);
  return invalid('OUT_OF_RANGE', ['amountText'], `The amount has at most ${longestAmountText} characters.`);
}

const noReceipts = (period: string) => ({ period, count: null, warnings: [], records: null });

function toReceipt(record: ReceiptRecord, employer: Employer, period: string): EmployerReceipt {
  return {
    employer,
    period,
    folio: record.folio_sua,
    paidOn: dateFromDayFirst(record.fecha_pago),
    amount: decimal(record.importe),
    amountText: record.importe_texto,
    amountInWords: record.importe_spell,
  };
}

function toFile(file: FileDescriptor, expiresAt: string | null): RegistryFile {
  return {
    filename: file.filename,
    contentType: file.content_type,
    sizeBytes: file.size_bytes,
    url: file.url,
    expiresAt: file.url === null ? null : expiresAt,
    carried: file.base64,
  };
}
