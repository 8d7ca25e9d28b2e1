import { formatDay, toMexicoCityTime } from './dates';
import { addParagraph, renderPdf } from './pdf';
import { addFacts, addTable } from './pdf-rows';

/** Content of a professional-status certificate. */
export interface ConstanciaDocument {
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

/** Renders the professional-status certificate with its holder and licences. */
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
      ['Fecha de emisión', `${formatDay(issued)} ${issued.time}`],
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
