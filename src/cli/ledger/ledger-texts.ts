import type { Language } from '../../identifiers/text';
import { formatAmount } from '../../terminal/table';
import type { SpendColumn } from './ledger-arguments';

const units = (count: number): string => count.toLocaleString('en-US');

const ledgerEnglish = {
  cannotRead: (file: string) => `Cannot read ${file}. Check the path.`,
  notCsv: (file: string, reason: string) => `${file} is not a CSV file. ${reason}`,
  line: (file: string, line: number, text: string) => `${file}, line ${line}: \`${text}\``,
  ambiguous: (line: string, example: number) =>
    `${line} has an ambiguous number. Write the units without a separator, for example ${example}.`,
  notAnEndpoint: (line: string) =>
    `${line} is not an endpoint and its units, such as POST /api/infonavit/grupo/buscar-credito,1204.`,
  wrongTotal: (line: string, sum: number) =>
    `${line} is not the sum of the other lines, which is ${sum}. Check that the statement is complete.`,
  money: (line: string) =>
    `${line} names money. padron compares units, not pesos. Keep only the column with the units of each endpoint.`,
  ignoredTotal: (line: number) => `Line ${line} of the statement is the sum of the other lines, and is ignored.`,
  statementHeadings: ['endpoint', 'statement', 'ledger', 'unknown', 'result'],
  total: 'total',
  totalAmount: 'total in MXN',
  agrees: 'agrees',
  differs: (count: number, amount: string | null, isMissing: boolean) => {
    const price = amount === null ? '' : ` (${formatAmount(amount)} MXN)`;
    const counted = `${units(count)} ${count === 1 ? 'unit' : 'units'}${price}`;
    return isMissing
      ? `DIFFERS: ${counted} charged, not in the ledger`
      : `DIFFERS: ${counted} in the ledger, not charged`;
  },
  only: (client: string) => `only ${client}`,
  limited: (client: string) =>
    `Only the calls of the client \`${client}\` were compared, because the token lacks the scope \`padron_ledger\`. The statement is about the whole account, so nothing was concluded and nothing changed. Use a token with that scope.`,
  unknownWhich: (endpoint: string, charged: number, all: number, clients: string) =>
    `${endpoint}: ${charged} of ${calls(all)} ${charged === 1 ? 'was' : 'were'} charged, unknown which${clients === '' ? '' : ` (clients: ${clients})`}. To choose by price alone, add --settle any.`,
  assignedNote: 'assigned by the sum of the statement',
  nothingSettled: 'No unknown call was settled.',
  settled: (charged: number, notCharged: number) =>
    `Settled ${calls(charged + notCharged)}: ${charged} charged, ${notCharged} not charged.`,
  canSettle: (charged: number, notCharged: number) =>
    `${calls(charged + notCharged)} can be settled: ${charged} charged, ${notCharged} not charged. Add --settle to settle.`,
  statementAgrees: 'The statement agrees with the ledger.',
  statementDiffers: 'The statement DIFFERS from the ledger.',
  priceLine: (line: string) =>
    `A change of one line in the price list (PRICE_LIST) would explain the difference:\n  ${line}`,
  endlessList:
    'The list of unknown calls does not end. Check --url, or choose a shorter interval with --from and --to.',
  columns: {
    day: 'day',
    month: 'month',
    client: 'client',
    tag: 'tag',
    purpose: 'purpose',
    operation: 'operation',
    endpoint: 'endpoint',
    outcome: 'outcome',
    batch: 'batch',
    saving: 'saving',
  } as Readonly<Record<SpendColumn, string>>,
  none: '(none)',
  tableHeadings: ['calls', 'units charged', 'units unknown', 'units saved'],
  tableAmounts: ['MXN charged', 'MXN unknown', 'MXN saved'],
  csvHeadings: ['calls', 'units', 'uncertain_units', 'saved_units'],
  csvAmounts: ['amount', 'uncertain_amount', 'saved_amount'],
  tableRefused: 'refused',
  csvRefused: 'refused_calls',
};

const calls = (count: number): string => `${count} unknown ${count === 1 ? 'call' : 'calls'}`;

export type LedgerTexts = typeof ledgerEnglish;

const ledgerSpanish: LedgerTexts = {
  cannotRead: (file) => `No se puede leer ${file}. Revise la ruta.`,
  notCsv: (file, reason) => `${file} no es un archivo CSV. ${reason}`,
  line: (file, line, text) => `${file}, línea ${line}: \`${text}\``,
  ambiguous: (line, example) => `${line} tiene un número ambiguo. Escriba las unidades sin separador, como ${example}.`,
  notAnEndpoint: (line) =>
    `${line} no es un endpoint con sus unidades, como POST /api/infonavit/grupo/buscar-credito,1204.`,
  wrongTotal: (line, sum) =>
    `${line} no es la suma de las demás líneas, que es ${sum}. Revise que el estado de cuenta esté completo.`,
  money: (line) =>
    `${line} se refiere a dinero. padron compara unidades, no pesos. Deje solo la columna con las unidades de cada endpoint.`,
  ignoredTotal: (line) => `La línea ${line} del estado de cuenta es la suma de las demás y no se toma en cuenta.`,
  statementHeadings: ['endpoint', 'estado de cuenta', 'libro', 'por aclarar', 'resultado'],
  total: 'total',
  totalAmount: 'total en MXN',
  agrees: 'coincide',
  differs: (count, amount, isMissing) => {
    const price = amount === null ? '' : ` (${formatAmount(amount)} MXN)`;
    const isSingle = count === 1;
    const counted = `${units(count)} ${isSingle ? 'unidad' : 'unidades'}${price}`;
    return isMissing
      ? `DIFIERE: ${counted} ${isSingle ? 'cobrada que no está' : 'cobradas que no están'} en el libro`
      : `DIFIERE: ${counted} en el libro que no se ${isSingle ? 'cobró' : 'cobraron'}`;
  },
  only: (client) => `solo ${client}`,
  limited: (client) =>
    `Solo se comparó lo del cliente \`${client}\`, porque el token no tiene el permiso \`padron_ledger\`. El estado de cuenta es de toda la cuenta: no se concluyó ni se modificó nada. Use un token con ese permiso.`,
  unknownWhich: (endpoint, charged, all, clients) =>
    `${endpoint}: se ${charged === 1 ? 'cobró' : 'cobraron'} ${charged} de ${all} consultas por aclarar, no se sabe ${charged === 1 ? 'cuál' : 'cuáles'}${clients === '' ? '' : ` (clientes: ${clients})`}. Para elegir solo por el precio, agregue --settle any.`,
  assignedNote: 'asignado por la suma del estado de cuenta',
  nothingSettled: 'No se concilió ninguna consulta.',
  settled: (charged, notCharged) =>
    `${charged + notCharged === 1 ? 'Se concilió 1 consulta' : `Se conciliaron ${charged + notCharged} consultas`}: ${charged} con cobro, ${notCharged} sin cobro.`,
  canSettle: (charged, notCharged) =>
    `${charged + notCharged === 1 ? 'Se puede conciliar 1 consulta' : `Se pueden conciliar ${charged + notCharged} consultas`}: ${charged} con cobro, ${notCharged} sin cobro. Agregue --settle para conciliar.`,
  statementAgrees: 'El estado de cuenta coincide con el libro.',
  statementDiffers: 'El estado de cuenta NO COINCIDE con el libro.',
  priceLine: (line) =>
    `Un cambio en una línea de la lista de precios (PRICE_LIST) explicaría la diferencia:\n  ${line}`,
  endlessList:
    'La lista de consultas por aclarar no termina. Revise --url o elija un periodo más corto con --from y --to.',
  columns: {
    day: 'día',
    month: 'mes',
    client: 'cliente',
    tag: 'etiqueta',
    purpose: 'finalidad',
    operation: 'operación',
    endpoint: 'endpoint',
    outcome: 'resultado',
    batch: 'lote',
    saving: 'motivo del ahorro',
  },
  none: '(sin dato)',
  tableHeadings: ['consultas', 'unidades cobradas', 'unidades por aclarar', 'unidades ahorradas'],
  tableAmounts: ['MXN cobrados', 'MXN por aclarar', 'MXN ahorrados'],
  csvHeadings: ['consultas', 'unidades', 'unidades por aclarar', 'unidades ahorradas'],
  csvAmounts: ['importe', 'importe por aclarar', 'importe ahorrado'],
  tableRefused: 'rechazadas',
  csvRefused: 'consultas rechazadas',
};

export const ledgerTextsIn = (language: Language | null): LedgerTexts =>
  language === 'es' ? ledgerSpanish : ledgerEnglish;
