import { z } from 'zod';
import {
  amount,
  columns,
  endpoint,
  identifier,
  ifReadable,
  integer,
  isRegistration,
  listPlaceholder,
  placeholder,
  registration,
  requiredText,
  text,
  warnings,
} from '../../../registry/endpoint/endpoint';
import { findLinkEnd } from '../../../registry/endpoint/link-end';
import { byRegistration } from '../employer/endpoints';

const ReceiptRecord = columns({
  registro_patronal: registration,
  folio_sua: requiredText,
  fecha_pago: text,
  importe_texto: text,
  importe_spell: text,
  importe: amount,
});

export type ReceiptRecord = z.output<typeof ReceiptRecord>;

const number = ifReadable(integer);

const Parameters = ifReadable(
  z
    .object({ registro_patronal: registration, periodo: identifier, anio: number, mes: number, folio_sua: identifier })
    .nullable(),
);

/** Assumed receipts of a month whose list is unknown: there is usually one, sometimes a second payment. */
const usualReceipts = 2;

/** A calendar month (`YYYY-MM`) of one employer registration. */
export interface PeriodQuestion {
  readonly registration: string;
  readonly period: string;
}

const periodOnWire = ({ registration, period }: PeriodQuestion) => ({
  registro_patronal: registration,
  anio: Number(period.slice(0, 4)),
  mes: Number(period.slice(5, 7)),
});

const sameOrAbsent = <Value>(answered: Value | null | undefined, asked: Value): boolean =>
  answered === null || answered === asked;

const isSameRegistration = (answered: string | null | undefined, asked: string): boolean =>
  answered === null || isRegistration(answered, asked);

function repeats(params: z.output<typeof Parameters>, question: PeriodQuestion): boolean {
  if (!params) return params === null;
  const { registro_patronal, anio, mes } = periodOnWire(question);
  return (
    isSameRegistration(params.registro_patronal, registro_patronal) &&
    sameOrAbsent(params.periodo, question.period.replace('-', '')) &&
    sameOrAbsent(params.anio, anio) &&
    sameOrAbsent(params.mes, mes)
  );
}

const ReceiptList = columns(
  {
    params: Parameters,
    meta: ifReadable(z.object({ count: integer, warnings }).nullable()),
    comprobantes: ifReadable(z.array(ReceiptRecord)),
  },
  ['meta', 'comprobantes'],
);

export type ReceiptList = z.output<typeof ReceiptList>;

export const listReceipts = endpoint({
  ...byRegistration,
  name: 'listReceipts',
  path: '/private/comprobantes-fiscales',
  envelope: 'document',
  scope: 'padron_list_receipts',
  schema: ReceiptList,
  toWire: periodOnWire,
  argumentPaths: { registro_patronal: ['registration'], anio: ['period'], mes: ['period'] },
  matches: ({ params, comprobantes }, question) =>
    repeats(params, question) &&
    (comprobantes ?? []).every(({ registro_patronal }) => isSameRegistration(registro_patronal, question.registration)),
  isEmpty: ({ comprobantes }) => comprobantes?.length === 0,
  placeholderAnswer: (question) => ({
    params: null,
    meta: null,
    comprobantes: Array.from({ length: usualReceipts }, (_, entry) =>
      ReceiptRecord.parse({ folio_sua: placeholder(`${listPlaceholder}${entry} of ${JSON.stringify(question)}`) }),
    ),
  }),
});

const FileDescriptor = z.object({ url: text, content_type: text, filename: text, size_bytes: integer, base64: text });

export type FileDescriptor = z.output<typeof FileDescriptor>;

export interface DownloadQuestion extends PeriodQuestion {
  readonly folio: string;
  readonly amountText: string | null;
  readonly inline: boolean;
}

/** Time for which the service documents that the link of a file is valid. */
const linkMs = 3_600_000;

export const downloadReceipt = endpoint({
  ...byRegistration,
  name: 'downloadReceipt',
  path: '/private/comprobantes-fiscales/descargar',
  envelope: 'document',
  scope: 'padron_download_receipt',
  schema: columns(
    {
      params: Parameters,
      meta: ifReadable(z.object({ expires_at: text, cache_store: text, warnings }).nullable()),
      files: columns({ pdf: ifReadable(FileDescriptor.nullable()), xml: ifReadable(FileDescriptor.nullable()) }),
    },
    ['files'],
  ),
  toWire: (question: DownloadQuestion) => {
    const { registro_patronal, anio, mes } = periodOnWire(question);
    const { folio: folio_sua, amountText: importe, inline: include_content } = question;
    if (importe === null) return { registro_patronal, anio, mes, folio_sua, include_content };
    return { registro_patronal, anio, mes, folio_sua, importe, include_content };
  },
  argumentPaths: {
    registro_patronal: ['registration'],
    anio: ['period'],
    mes: ['period'],
    folio_sua: ['folio'],
    importe: ['amountText'],
    include_content: ['inline'],
  },
  matches: ({ params }, question) =>
    repeats(params, question) && sameOrAbsent(params ? params.folio_sua : null, question.folio),
  // `inline` is not part of the key, so files bought in one mode are reused in the other.
  cacheKey: ({ registration, period, folio, amountText }) => [registration, period, folio, amountText],
  maxBytes: 30_000_000,
  isFresh: (answeredAt, now, payload) => {
    const files = [payload?.files.pdf, payload?.files.xml];
    const links = files.flatMap((file) => (file && file.base64 === null ? file.url : []));
    const ends = links.map((link) => findLinkEnd(link, payload?.meta?.expires_at) ?? answeredAt.getTime() + linkMs);
    return ends.every((end) => now.getTime() < end);
  },
});
