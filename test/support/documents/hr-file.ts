import { writeWorkbook } from './write-workbook';

const header = ['No. Empleado', 'N.S.S.', 'CURP', 'Nombre completo', 'Fecha de ingreso', 'Sueldo'];

export interface Employee {
  readonly number: string;
  readonly nss: string;
  readonly curp: string;
  readonly name: string;
}

/** Returns the text of an NSS after a spreadsheet has read it as a number. */
const withoutZeros = (nss: string): string => nss.replace(/^0+/, '');

/**
 * Returns a file as spreadsheets in Mexico save it: Windows-1252, semicolons, CRLF, a title, blank lines, and NSS without their
 * zeros.
 */
export function hrCsv(employees: readonly Employee[]): Buffer {
  const line = ({ number, nss, curp, name }: Employee): string =>
    [number, withoutZeros(nss), curp, `"${name}"`, '15/01/2020', '"$12,500.00"'].join(';');
  const [first, ...others] = employees.map(line);
  const lines = ['Plantilla noviembre 2026;;;;;', '', header.join(';'), first, ';;;;;', '', ...others, ''];
  return Buffer.from(lines.join('\r\n'), 'latin1');
}

/** Returns the same file as a workbook, in which the NSS are numbers and the days are dates. */
export function hrWorkbook(employees: readonly Employee[]): Promise<Buffer> {
  const row = ({ number, nss, curp, name }: Employee) => [
    number,
    /^\d+$/.test(nss) ? Number(nss) : nss,
    curp,
    name,
    new Date('2020-01-15'),
    12_500,
  ];
  const [first = [], ...others] = employees.map(row);
  return writeWorkbook([['Plantilla noviembre 2026'], [], header, first, [], [], ...others]);
}
