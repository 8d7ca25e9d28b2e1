/** A row of the social security institute's catalogue of activities, which determines the risk class of an employer. */
export interface Activity {
  readonly key: string;
  readonly description: string;
  readonly riskClass: string;
  readonly division: string;
  readonly group: string;
}

const divisions: Readonly<Record<string, string>> = {
  '0': 'Agricultura, ganadería, silvicultura, pesca y caza',
  '1': 'Industrias extractivas',
  '2': 'Industrias de transformación',
  '3': 'Industrias de transformación',
  '4': 'Industria de la construcción',
  '5': 'Industria eléctrica y captación y suministro de agua potable',
  '6': 'Comercio',
  '7': 'Transportes y comunicaciones',
  '8': 'Servicios para empresas, personas y el hogar',
  '9': 'Servicios sociales y comunales',
};

/** The mean premium of each class, in hundred-thousandths of one per cent. */
export const meanPremium: Readonly<Record<string, number>> = {
  I: 54355,
  II: 113065,
  III: 259840,
  IV: 465325,
  V: 758875,
};

const rows: readonly (readonly [string, string, string])[] = [
  ['011', 'Agricultura', 'III'],
  ['021', 'Ganadería', 'III'],
  ['242', 'Confección de prendas de vestir', 'II'],
  ['271', 'Fabricación y/o reparación de muebles de madera', 'V'],
  ['291', 'Industrias editorial, de impresión, encuadernación y actividades conexas', 'III'],
  ['305', 'Fabricación de productos químico-farmacéuticos', 'II'],
  ['322', 'Fabricación de productos de plástico', 'IV'],
  ['354', 'Estructuras metálicas', 'V'],
  ['388', 'Fabricación de automóviles', 'III'],
  ['411', 'Construcción de edificaciones, excepto obra pública', 'V'],
  ['412', 'Construcción de obra pública', 'V'],
  ['421', 'Instalaciones', 'IV'],
  ['500', 'Generación y distribución de energía eléctrica', 'IV'],
  ['611', 'Compraventa de alimentos al menudeo', 'II'],
  ['641', 'Supermercados', 'II'],
  ['653', 'Gasolineras', 'III'],
  ['691', 'Inmuebles', 'I'],
  ['711', 'Transporte de pasajeros', 'IV'],
  ['712', 'Transporte de carga', 'V'],
  ['755', 'Mensajería', 'IV'],
  ['760', 'Comunicaciones', 'II'],
  ['810', 'Instituciones de crédito, seguros y fianzas', 'I'],
  ['841', 'Servicios profesionales y técnicos', 'I'],
  ['844', 'Servicios de protección y custodia', 'III'],
  ['860', 'Alojamiento temporal', 'II'],
  ['871', 'Preparación y servicio de alimentos', 'II'],
  ['911', 'Servicios de enseñanza', 'I'],
  ['921', 'Servicios médicos', 'I'],
  ['922', 'Servicios médicos paramédicos', 'II'],
  ['942', 'Seguridad pública', 'III'],
];

export const activities: readonly Activity[] = rows.map(([key, description, riskClass]) => ({
  key,
  description,
  riskClass,
  division: divisions[key.slice(0, 1)] ?? '',
  group: key.slice(0, 2),
}));
