import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { parseDecimal } from '../../../identifiers/decimals';
import { type Problem, problem } from '../../../registry/answer/problem';
import type { LookupContext } from '../../core/context';
import { RegistryProblem } from '../../core/lookup/types';
import { domainCodes } from '../codes';
import { loadContent } from '../files/content';
import { RegistryFile } from '../files/types';
import { maxCfdiBytes, readCfdi } from './read-cfdi';
import { Cfdi, type ExpectedReceipt } from './types';

/** RFC of the social security institute, which issues the receipts. */
const instituteRfc = 'IMS421231I45';

/** Returns the fields of a CFDI that contradict the list and the request. A value that they do not have contradicts nothing. */
function contradictingFields(cfdi: Cfdi, expected: ExpectedReceipt): readonly string[] {
  const agrees: Readonly<Record<string, boolean>> = {
    total: expected.amount === null || sameAmount(cfdi.total, expected.amount),
    // The amounts of the list are in pesos.
    currency: cfdi.currency === 'MXN',
    'issuer.rfc': cfdi.issuer.rfc === instituteRfc,
    folio: namesReceipt(cfdi.folio, expected),
  };
  return Object.keys(agrees).filter((field) => agrees[field] === false);
}

/**
 * Whether a folio such as `202608-Y6099999101-17092026-516283`, or the receipt folio alone, belongs to the receipt. A folio in
 * another format matches any receipt.
 */
function namesReceipt(folio: string | null, expected: ExpectedReceipt): boolean {
  const [, period, registration, receiptFolio] = /^(\d{6})-([A-Z0-9]{10,11})-\d{8}-(\d{1,25})$/.exec(folio ?? '') ?? [];
  if (period === undefined || registration === undefined || receiptFolio === undefined)
    return folio === null || !/^\d+$/.test(folio) || sameDigits(folio, expected.folio);
  return (
    period === expected.period.replace('-', '') &&
    // Internal documents of the institute omit the check digit.
    expected.registration.startsWith(registration) &&
    sameDigits(receiptFolio, expected.folio)
  );
}

const sameDigits = (left: string, right: string): boolean => left.replace(/^0+/, '') === right.replace(/^0+/, '');

const sameAmount = (left: string, right: string): boolean => plainAmount(left) === plainAmount(right);

const plainAmount = (text: string): string | null =>
  parseDecimal(text)
    ?.replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '') ?? null;

interface CfdiReading {
  readonly cfdi: Cfdi | null;
  readonly problem: Problem | null;
}

/** Results by file. `cfdi` and `cfdiProblem` of a file share one result. */
const readings = new WeakMap<RegistryFile, Promise<CfdiReading>>();
const cfdis = new WeakMap<object, Cfdi | null>();
const nothing: CfdiReading = { cfdi: null, problem: null };

@Resolver(() => RegistryFile)
export class CfdiResolver {
  @FieldResolver(() => Cfdi, {
    nullable: true,
    description: `Content of the CFDI, for the \`xml\` of a receipt only. Null for any other file. padron reads the bytes in the
answer, or downloads them through the link, free of charge. Null if they cannot be read with certainty: see \`cfdiProblem\`.`,
  })
  async cfdi(@Root() file: RegistryFile, @Ctx() context: LookupContext): Promise<Cfdi | null> {
    return (await read(file, context)).cfdi;
  }

  @FieldResolver(() => RegistryProblem, {
    nullable: true,
    description: `Select it together with \`cfdi\`. CFDI_UNREADABLE, or a code of \`contentProblem\`: why \`cfdi\` is null. CFDI_MISMATCH:
there is a \`cfdi\`, but it contradicts its receipt.`,
  })
  async cfdiProblem(@Root() file: RegistryFile, @Ctx() context: LookupContext): Promise<Problem | null> {
    return (await read(file, context)).problem;
  }
}

function read(file: RegistryFile, context: LookupContext): Promise<CfdiReading> {
  const { receipt } = file;
  if (receipt === null) return Promise.resolve(nothing);
  const existing = readings.get(file);
  if (existing !== undefined) return existing;
  const reading = readOnce(file, receipt, context);
  readings.set(file, reading);
  return reading;
}

async function readOnce(file: RegistryFile, receipt: ExpectedReceipt, context: LookupContext): Promise<CfdiReading> {
  const found = await findCfdi(file, receipt.source, context);
  if ('problem' in found) return { cfdi: null, problem: found.problem };
  const { cfdi } = found;
  if (cfdi === null) return { cfdi, problem: problem(domainCodes.CFDI_UNREADABLE) };
  const fields = contradictingFields(cfdi, receipt);
  if (fields.length === 0) return { cfdi, problem: null };
  const message = `The CFDI contradicts the receipt that it belongs to, in ${fields.join(', ')}. Do not rely on it.`;
  const spanish = `El CFDI contradice al comprobante al que pertenece, en ${fields.join(', ')}. No se confíe en él.`;
  return { cfdi, problem: problem(domainCodes.CFDI_MISMATCH, { message, spanish }) };
}

/** Returns the CFDI of a file. A CFDI never changes, so it is fetched and read once for each answer, even if the answer is reused. */
async function findCfdi(
  file: RegistryFile,
  source: object,
  context: LookupContext,
): Promise<{ readonly cfdi: Cfdi | null } | { readonly problem: Problem }> {
  const before = cfdis.get(source);
  if (before !== undefined) return { cfdi: before };
  const content = await loadContent(file, context);
  if ('problem' in content) return content;
  if (content.size > maxCfdiBytes)
    return {
      problem: problem(domainCodes.CFDI_UNREADABLE, {
        message: 'The file is too large to be read as a CFDI. Read `content`.',
        spanish: 'El archivo es demasiado grande para leerlo como CFDI. Lea `content`.',
      }),
    };
  // Another field may have read the same bytes in the meantime.
  const meanwhile = cfdis.get(source);
  const cfdi = meanwhile === undefined ? readCfdi(content.bytes()) : meanwhile;
  cfdis.set(source, cfdi);
  return { cfdi };
}
