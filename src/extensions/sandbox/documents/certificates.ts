import { formatCentavos } from '../data/money';
import { seededRandom } from '../data/random';
import { toMexicoCityTime } from './dates';
import { addFacts, addHeadline, addParagraph, addTable, type PdfDocument, renderPdf } from './pdf';

interface ConstanciaDocument {
  readonly curp: string;
  readonly fullName: string;
  readonly licences: readonly {
    readonly number: string;
    readonly title: string;
    readonly institution: string;
    readonly year: number;
  }[];
  readonly issuedAt: Date;
  readonly validationCode: string;
}

export async function renderConstancia(constancia: ConstanciaDocument): Promise<Buffer> {
  const issued = toMexicoCityTime(constancia.issuedAt);
  const header = {
    office: 'Secretaría de Educación Pública · Dirección General de Profesiones (imitación)',
    title: 'Constancia de situación profesional',
    reference: `Código de validación ${constancia.validationCode}`,
    createdAt: constancia.issuedAt,
  };
  return renderPdf(header, (pdf) => {
    addFacts(pdf, [
      ['Nombre', constancia.fullName],
      ['CURP', constancia.curp],
      ['Fecha de emisión', `${issued.day} ${issued.time}`],
    ]);
    if (constancia.licences.length === 0) {
      addParagraph(pdf, 'No se encontraron cédulas profesionales registradas a nombre de esta persona.');
      return;
    }
    addParagraph(pdf, 'En el Registro Nacional de Profesionistas constan las siguientes cédulas profesionales:');
    addTable(
      pdf,
      [
        { heading: 'Cédula', width: 0.14 },
        { heading: 'Título o grado', width: 0.38 },
        { heading: 'Institución', width: 0.38 },
        { heading: 'Año', width: 0.1, align: 'right' },
      ],
      constancia.licences.map(({ number, title, institution, year }) => [number, title, institution, String(year)]),
    );
  });
}

export type PrintedSense = 'POSITIVA' | 'NEGATIVA' | 'SIN OPINIÓN';

export interface IssuedOpinion {
  readonly rfc: string;
  readonly employerName: string;
  readonly obligatedSubjectId: string;
  readonly issuedAt: Date;
  readonly sense: PrintedSense;
  readonly credits: readonly {
    /** YYYYMM */
    readonly period: string;
    readonly registration: string;
    readonly centavos: number;
  }[];
}

const MEANINGS: Readonly<Record<PrintedSense, string>> = {
  POSITIVA:
    'El empleador está al corriente en el cumplimiento de sus obligaciones fiscales en materia de seguridad social.',
  NEGATIVA:
    'El empleador no está al corriente en el cumplimiento de sus obligaciones fiscales en materia de seguridad social.',
  'SIN OPINIÓN': 'No hay elementos para emitir una opinión: el RFC no tiene registros patronales que evaluar.',
};

export async function renderOpinion(opinion: IssuedOpinion): Promise<Buffer> {
  const issued = toMexicoCityTime(opinion.issuedAt);
  const header = {
    office: 'Instituto Mexicano del Seguro Social (imitación)',
    title: 'Opinión de cumplimiento de obligaciones fiscales en materia de seguridad social',
    reference: `32-D ${opinion.rfc} ${opinion.issuedAt.toISOString()}`,
    createdAt: opinion.issuedAt,
  };
  return renderPdf(header, (pdf) => {
    addHeadline(pdf, `Sentido de la opinión: ${opinion.sense}`);
    addParagraph(pdf, MEANINGS[opinion.sense]);
    addFacts(pdf, [
      ['Nombre o razón social', opinion.employerName],
      ['RFC', opinion.rfc],
      ['Sujeto obligado', opinion.obligatedSubjectId],
      ['Folio', makeFolio(opinion)],
      ['Fecha de emisión', `${issued.day} ${issued.time}`],
      // An opinion expires at the end of its day in Mexico City, whatever the hour of issue.
      ['Vigencia', `hasta las 23:59:59 horas del ${issued.day}`],
    ]);
    addCredits(pdf, opinion.credits);
    addParagraph(pdf, `Cadena Original: ${makeChain(opinion)}`);
  });
}

/** Returns a signed chain like the institute's, with the parts that a reader compares with the print. */
function makeChain(opinion: IssuedOpinion): string {
  const { day, time } = toMexicoCityTime(opinion.issuedAt);
  const validity = `FechaInicioVigencia:${day} ${time}|FechaFinVigencia:${day} 23:59:59`;
  return `||Invocante:sandbox|Folio:${makeFolio(opinion)}|RFC:${opinion.rfc}|Opinion:${opinion.sense}|${validity}||`;
}

/** Returns a folio of 23 digits like the institute's: the time in milliseconds and ten more digits. */
function makeFolio({ rfc, issuedAt }: IssuedOpinion): string {
  const moment = issuedAt.getTime();
  return `${moment}${seededRandom(`opinion ${rfc} ${moment}`).digits(10)}`;
}

function addCredits(pdf: PdfDocument, rows: IssuedOpinion['credits']): void {
  if (rows.length === 0) {
    addParagraph(pdf, 'Créditos fiscales: ninguno.');
    return;
  }
  addParagraph(pdf, 'Créditos fiscales por periodo y registro patronal:');
  addTable(
    pdf,
    [
      { heading: 'Periodo', width: 0.25 },
      { heading: 'Registro patronal', width: 0.45 },
      { heading: 'Importe', width: 0.3, align: 'right' },
    ],
    rows.map(({ period, registration, centavos }) => [period, registration, formatCentavos(centavos)]),
  );
}
