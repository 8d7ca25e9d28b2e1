import { employers, type SandboxEmployer } from '../data/employers';
import { toPesos } from '../data/money';
import { availablePeriods, type Concept, computeMonthFigures, isUnpaid, toDayOfNextMonth } from '../data/months';
import { type IssuedOpinion, renderOpinion } from '../documents/certificates';
import { fields, optionalRegistration, rp } from '../protocol/input-fields';
import { found, notFound, pdfResponse, type ServiceResponse } from '../protocol/responses';
import { portalRoute, type Question, type Route } from '../protocol/route';
import { findEmployerByObligatedSubject, findEmployerByRegistration } from '../test-cards/directory';

const toPremium = (employer: SandboxEmployer): number => employer.riskPremium / 100_000;
const toBreakdown = (concepts: readonly Concept[]): readonly unknown[] =>
  concepts.map(({ label, centavos }) => ({ label, value: toPesos(centavos) }));

function toSnapshots(employer: SandboxEmployer, now: Date): readonly unknown[] {
  return availablePeriods(now).map((period, index) => {
    const figures = computeMonthFigures(employer, period);
    const moment = `${figures.capturedOn}T06:00:00.000Z`;
    return {
      id: employer.serial * 1000 + index + 1,
      user_id: 1,
      registro_patronal: employer.registration,
      razon_social: employer.name,
      rfc: employer.rfc,
      giro: employer.activity.description,
      clase_riesgo: employer.activity.riskClass,
      tipo_persona: employer.kind,
      prima_srt: toPremium(employer),
      numero_trabajadores: figures.workers,
      total_imss: toPesos(figures.totalImss),
      total_rcv: toPesos(figures.totalRcv),
      totales_imss: toBreakdown(figures.imss),
      totales_rcv: toBreakdown(figures.rcv),
      captured_at: moment,
      created_at: moment,
      updated_at: moment,
    };
  });
}

/** Returns the monthly snapshots of one employer or of all employers, oldest first. */
function listSnapshots({ values, dependencies }: Question): ServiceResponse {
  const registration = values.registro_patronal;
  const requested = registration === undefined ? undefined : findEmployerByRegistration(registration);
  const selected = registration === undefined ? employers : requested ? [requested] : [];
  const now = dependencies.now();
  return found(selected.flatMap((employer) => toSnapshots(employer, now)));
}

function resolveObligatedSubject({ values }: Question): ServiceResponse {
  const employer = findEmployerByRegistration(values.rp ?? '');
  if (!employer) return notFound('portal');
  const { activity } = employer;
  return {
    status: 200,
    body: {
      ok: true,
      meta: { sujeto_obligado_id: employer.obligatedSubjectId, registro_patronal: employer.registration },
      clasificacion: {
        giro: activity.description,
        clave_fraccion: activity.key,
        division: activity.division,
        grupo: activity.group,
      },
      fraccion: {
        descripcion: activity.description,
        descripcion_detalle: `Fracción ${activity.key}, clase ${activity.riskClass}: ${activity.description}`,
        clase: activity.riskClass,
        prima_srt: toPremium(employer),
      },
      warnings: employer.owes ? ['El registro patronal tiene periodos sin pago.'] : [],
    },
  };
}

function listCredits(employer: SandboxEmployer, now: Date): IssuedOpinion['credits'] {
  const today = now.toISOString().slice(0, 10);
  return availablePeriods(now)
    .filter((period) => isUnpaid(employer, period) && toDayOfNextMonth(period, 17) < today)
    .map((period) => {
      const { totalImss, totalRcv } = computeMonthFigures(employer, period);
      return { period, registration: employer.registration, centavos: totalImss + totalRcv };
    });
}

/** Returns the opinion on an employer's compliance, which is negative while a month is unpaid. */
async function issueOpinion({ values, dependencies }: Question): Promise<ServiceResponse> {
  const employer = findEmployerByObligatedSubject(values.sujeto_obligado ?? '');
  if (!employer || employer.rfc !== values.rfc?.toUpperCase()) return notFound('portal');
  const now = dependencies.now();
  const credits = listCredits(employer, now);
  const bytes = await renderOpinion({
    rfc: employer.rfc,
    employerName: employer.name,
    obligatedSubjectId: employer.obligatedSubjectId,
    issuedAt: now,
    sense: credits.length > 0 ? 'NEGATIVA' : 'POSITIVA',
    credits,
  });
  return pdfResponse(bytes);
}

export const employerRoutes: readonly Route[] = [
  portalRoute('/private/32d-imss', [fields.sujeto_obligado, fields.rfc], issueOpinion),
  {
    ...portalRoute('/private/rps/snapshots', [optionalRegistration], listSnapshots),
    method: 'GET',
    inputFrom: 'query',
  },
  portalRoute('/private/sujeto-obligado', [rp], resolveObligatedSubject),
];
