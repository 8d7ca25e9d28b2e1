import { dayText, inMexicoCity } from './dates';
import { paragraph, printed } from './pdf';
import { facts, table } from './pdf-rows';

/** What a professional-status certificate says of its holder. */
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

/** The professional-status certificate: who holds it and under which licences. */
export async function constanciaPdf(constancia: ConstanciaDocument): Promise<Buffer> {
  const issued = inMexicoCity(constancia.issuedAt);
  const paper = {
    office: 'Secretaría de Educación Pública · Dirección General de Profesiones (imitación)',
    title: 'Constancia de situación profesional',
    reference: `Código de validación ${constancia.validationCode}`,
    createdAt: constancia.issuedAt,
  };
  return printed(paper, (sheet) => {
    facts(sheet, [
      ['Nombre', constancia.fullName],
      ['CURP', constancia.curp],
      ['Fecha de emisión', `${dayText(issued)} ${issued.time}`],
    ]);
    if (constancia.licences.length === 0) {
      paragraph(sheet, 'No se encontraron cédulas profesionales registradas a nombre de esta persona.');
      return;
    }
    paragraph(sheet, 'En el Registro Nacional de Profesionistas constan las siguientes cédulas profesionales:');
    table(
      sheet,
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
