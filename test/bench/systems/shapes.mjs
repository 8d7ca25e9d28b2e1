/** From wire to graph, by hand: what a small backend without padron would write. Only the fields that the workloads read. */

export const paths = {
  credit: '/api/infonavit/grupo/buscar-credito',
  account: '/api/infonavit/grupo/obtener-cuenta',
  licences: '/api/sep/grupo/obtener-cedula',
  status: '/api/sep/grupo/descargar-constancia-profesional',
  identity: '/api/renapo/grupo/valida-curp',
  receipts: '/private/comprobantes-fiscales',
  files: '/private/comprobantes-fiscales/descargar',
};

export const nssOnWire = (nss) => String(Number(nss));
const text = (value) => (value === undefined || value === null || value.trim() === '' ? null : value);
const compactDay = (day) => (text(day) === null ? null : `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6, 8)}`);
const dayFirst = (day) => (text(day) === null ? null : day.split('/').reverse().join('-'));
const decimal = (value) => (value === undefined || value === null ? null : String(value).trim());

/** Outcome, evidence and problems of one answer. */
export function proof(path, status, body, bought = true) {
  return {
    outcome: status === 404 || body.data?.length === 0 || body.comprobantes?.length === 0 ? 'NOT_FOUND' : 'FOUND',
    evidence: {
      validationCode: body.codigoValidacion ?? null,
      endpoint: `POST ${path}`,
      status,
      checkedAt: new Date(),
      servedFrom: bought ? 'LIVE' : 'REPLAY',
      units: bought ? 1 : 0,
      billing: bought ? 'CHARGED' : 'NOT_CHARGED',
    },
    problems: [],
  };
}

export function toCredit(wire) {
  return {
    hasCredit: wire.estatus_credito === 'AC',
    situation: text(wire.situacioncredito),
    number: text(wire.num_credito),
    kind: text(wire.tipo_credito),
    openedOn: compactDay(wire.fechaOrigen),
    names: text(wire.nombre),
    paternalSurname: text(wire.apPaterno),
    maternalSurname: text(wire.apMaterno),
    curp: text(wire.scurp),
    rfc: text(wire.rfc),
  };
}

export function toAccount(wire) {
  return {
    totalBalance: decimal(wire.saldoSARTotal),
    balance92: decimal(wire.saldoSAR92),
    balance97: decimal(wire.saldoSAR97),
    employerName: text(wire.nombreEmpresa),
  };
}

export function toIdentity(wire) {
  return {
    names: wire.nombres,
    paternalSurname: wire.apellidoPaterno,
    maternalSurname: wire.apellidoMaterno,
    birthDate: wire.fechaNacimiento,
    birthState: wire.estadoNacimiento,
    history: { status: wire.historial.estatusCurp, statusDescription: wire.historial.desEstatusCURP },
  };
}

export function toLicence(wire) {
  return { number: wire.idCedula, title: wire.titulo, institution: wire.desins, registrationYear: wire.anioreg };
}

export function toStatus(wire) {
  return { document: { url: wire.url_constancia, contentType: 'application/pdf' } };
}

export function toReceipt(wire) {
  return { folio: wire.folio_sua, paidOn: dayFirst(wire.fecha_pago), amount: decimal(wire.importe) };
}

export function toFile(wire, expiresAt) {
  return { filename: wire.filename, url: wire.url, expiresAt };
}

export function monthsBetween(from, to) {
  const months = [];
  for (let month = Number(from.slice(0, 4)) * 12 + Number(from.slice(5)) - 1; ; month += 1) {
    const period = `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
    if (period > to) return months;
    months.push(period);
  }
}

export const periodOnWire = (registration, period) => ({
  registro_patronal: registration,
  anio: Number(period.slice(0, 4)),
  mes: Number(period.slice(5)),
});
