import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { parseCompactDate } from '../../../identifiers/dates';
import { parseDecimal } from '../../../identifiers/decimals';
import { padNss } from '../../../identifiers/normalise';
import type { PersonEndpoint } from '../../../registry/endpoint/person';
import type { LookupContext } from '../../core/context';
import { lookUp, type Validated } from '../../core/lookup/lookup';
import type { RegistryLookup } from '../../core/lookup/types';
import { PaidField } from '../../core/paid-field';
import { resolveNss } from '../person/identifiers';
import { lookUpPerson } from '../person/review';
import { Person } from '../person/types';
import { type AccountRecord, type CreditRecord, findCredit, findHousingAccount, type NssQuestion } from './endpoints';
import { type HousingAccount, HousingAccountLookup, type HousingCredit, HousingCreditLookup } from './types';

@Resolver(() => Person)
export class HousingResolver {
  @FieldResolver(() => HousingCreditLookup, { nullable: true, description: 'The housing credit. Needs the NSS.' })
  @PaidField(findCredit)
  credit(@Root() person: Person, @Ctx() context: LookupContext): Promise<HousingCreditLookup> {
    return lookUpByNss(context, person, findCredit, toCredit);
  }

  @FieldResolver(() => HousingAccountLookup, { nullable: true, description: 'The housing sub-account. Needs the NSS.' })
  @PaidField(findHousingAccount)
  housingAccount(@Root() person: Person, @Ctx() context: LookupContext): Promise<HousingAccountLookup> {
    return lookUpByNss(context, person, findHousingAccount, toAccount);
  }
}

function lookUpByNss<Payload, Fields>(
  context: LookupContext,
  person: Person,
  endpoint: PersonEndpoint<NssQuestion, Payload>,
  toRecord: (payload: Payload) => Fields,
): Promise<RegistryLookup & { readonly record: Fields | null }> {
  const toFields = (payload: Payload | null) => ({ record: payload && toRecord(payload) });
  return lookUpPerson(context, person, endpoint, (review) => {
    const ask = (nss: Validated<NssQuestion>) => lookUp(context, endpoint, nss, toFields, review);
    const nss = resolveNss(context, person);
    return nss instanceof Promise ? nss.then(ask) : ask(nss);
  });
}

function toCredit(record: CreditRecord): HousingCredit {
  return {
    nss: record.nss ? padNss(record.nss) : null,
    hasCredit: hasCredit(record.estatus_credito),
    status: record.estatus_credito,
    situation: record.situacioncredito,
    number: record.num_credito,
    currency: record.moneda,
    kind: record.tipo_credito,
    regime: record.regimen,
    pool: record.pool,
    monthsWithoutContribution: record.mesesomisos,
    product: record.producto,
    names: record.nombre,
    paternalSurname: record.apPaterno,
    maternalSurname: record.apMaterno,
    received: record.received,
    openedOn: parseCompactDate(record.fechaOrigen),
    closedOn: parseCompactDate(record.fechaCierre),
    email: record.emailPersonal,
    mobilePhone: record.telefonoCelular,
    rfc: record.rfc ?? null,
    curp: record.scurp ?? null,
  };
}

/** Interprets the two documented statuses. Returns null for any other status. */
function hasCredit(status: string | null): boolean | null {
  if (status === null) return false;
  return status.trim() === 'AC' ? true : null;
}

function toAccount(record: AccountRecord): HousingAccount {
  return {
    nss: record.NSS ? padNss(record.NSS) : null,
    totalBalance: parseDecimal(record.saldoSARTotal),
    previousBalance: parseDecimal(record.saldoAnterior),
    balance92: parseDecimal(record.saldoSAR92),
    balance97: parseDecimal(record.saldoSAR97),
    bimester: record.bimestre,
    paidOn: record.fechaPago,
    employerName: record.nombreEmpresa,
    contribution: parseDecimal(record.aportacion),
  };
}
