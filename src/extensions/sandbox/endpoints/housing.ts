import { formatDecimal, toPesos } from '../data/money';
import type { SandboxPerson } from '../data/people';
import { fields } from '../protocol/input-fields';
import { found, notFound, type ServiceResponse } from '../protocol/responses';
import { commonRoute, type Question, type Route } from '../protocol/route';
import { findPersonByNss } from '../test-cards/directory';

function toCreditFields({ credit }: SandboxPerson): Readonly<Record<string, string | null>> {
  return {
    estatus_credito: credit ? 'AC' : credit,
    situacioncredito: credit ? credit.situation : '',
    num_credito: credit ? credit.number : '',
    moneda: credit ? credit.currency : '',
    tipo_credito: credit ? credit.kind : '',
    regimen: credit ? credit.regime : '',
    pool: credit ? credit.pool : '',
    mesesomisos: credit ? String(credit.monthsWithoutContribution) : '',
    producto: credit ? credit.product : '',
    fechaOrigen: credit ? credit.openedOn : '',
    fechaCierre: credit ? credit.closedOn : '',
  };
}

function findCredit({ values }: Question): ServiceResponse {
  const person = findPersonByNss(values.nss ?? '');
  if (!person) return notFound('common');
  return found({
    nss: person.nss,
    ...toCreditFields(person),
    nombre: person.names,
    apPaterno: person.paternalSurname,
    apMaterno: person.maternalSurname,
    emailPersonal: person.email,
    telefonoCelular: person.phone,
    rfc: person.rfc,
    scurp: person.curp,
  });
}

function findAccount({ values }: Question): ServiceResponse {
  const person = findPersonByNss(values.nss ?? '');
  if (!person?.account) return notFound('common');
  const { account, nss } = person;
  const after1997 = formatDecimal(account.after1997);
  return found({
    saldoSARTotal: toPesos(account.before1997 + account.after1997),
    saldoAnterior: formatDecimal(account.previous),
    saldoSAR92: formatDecimal(account.before1997),
    saldoSAR97: account.leadingBlank ? ` ${after1997}` : after1997,
    NSS: Number(nss),
    bimestre: account.bimester,
    fechaPago: account.paidOn,
    nombreEmpresa: account.employerName,
    aportacion: formatDecimal(account.contribution),
  });
}

export const housingRoutes: readonly Route[] = [
  commonRoute('/api/infonavit/grupo/buscar-credito', 'use_buscar_credito', [fields.nss], findCredit),
  commonRoute('/api/infonavit/grupo/obtener-cuenta', 'use_obtener_cuenta', [fields.nss], findAccount),
];
