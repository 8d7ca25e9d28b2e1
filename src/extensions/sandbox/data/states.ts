/** A federal entity: its code in a CURP, its name and its number in the national catalogue. */
export interface State {
  readonly code: string;
  readonly name: string;
  readonly number: string;
  readonly municipality: string;
  readonly postalPrefix: string;
}

const rows: readonly (readonly [string, string, string, string, string])[] = [
  ['AS', 'AGUASCALIENTES', '01', 'AGUASCALIENTES', '20'],
  ['BC', 'BAJA CALIFORNIA', '02', 'TIJUANA', '22'],
  ['CL', 'COAHUILA DE ZARAGOZA', '05', 'SALTILLO', '25'],
  ['CS', 'CHIAPAS', '07', 'TUXTLA GUTIÉRREZ', '29'],
  ['CH', 'CHIHUAHUA', '08', 'CHIHUAHUA', '31'],
  ['DF', 'CIUDAD DE MÉXICO', '09', 'COYOACÁN', '04'],
  ['DG', 'DURANGO', '10', 'DURANGO', '34'],
  ['GT', 'GUANAJUATO', '11', 'LEÓN', '37'],
  ['GR', 'GUERRERO', '12', 'CHILPANCINGO DE LOS BRAVO', '39'],
  ['JC', 'JALISCO', '14', 'GUADALAJARA', '44'],
  ['MC', 'MÉXICO', '15', 'TOLUCA', '50'],
  ['MN', 'MICHOACÁN DE OCAMPO', '16', 'MORELIA', '58'],
  ['NL', 'NUEVO LEÓN', '19', 'MONTERREY', '64'],
  ['OC', 'OAXACA', '20', 'OAXACA DE JUÁREZ', '68'],
  ['PL', 'PUEBLA', '21', 'PUEBLA', '72'],
  ['QT', 'QUERÉTARO', '22', 'QUERÉTARO', '76'],
  ['SL', 'SINALOA', '25', 'CULIACÁN', '80'],
  ['SR', 'SONORA', '26', 'HERMOSILLO', '83'],
  ['VZ', 'VERACRUZ DE IGNACIO DE LA LLAVE', '30', 'XALAPA', '91'],
  ['YN', 'YUCATÁN', '31', 'MÉRIDA', '97'],
];

export const states: readonly State[] = rows.map(([code, name, number, municipality, postalPrefix]) => {
  return { code, name, number, municipality, postalPrefix };
});

/** State of people born abroad and registered at a consulate. */
export const ABROAD: State = {
  code: 'NE',
  name: 'NACIDO EN EL EXTRANJERO',
  number: '88',
  municipality: 'CIUDAD DE MÉXICO',
  postalPrefix: '06',
};
