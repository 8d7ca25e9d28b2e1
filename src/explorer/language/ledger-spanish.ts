import type { ledgerEnglish } from './ledger-english';

const date = (day: string, format: Intl.DateTimeFormatOptions): string =>
  new Date(`${day}T12:00:00Z`).toLocaleDateString('es-MX', { ...format, timeZone: 'UTC' });

const monthName = (month: string): string => date(`${month}-15`, { month: 'long', year: 'numeric' });

/** Spanish texts of the ledger in the Money panel. */
export const ledgerSpanish: typeof ledgerEnglish = {
  title: 'Libro de consumo',
  amounts: 'Los importes están en pesos (MXN).',
  spentToday: 'gastado hoy',
  unsettled: 'sin conciliar',
  chart: 'Unidades por día',
  byEndpoint: 'Unidades por endpoint',
  day: (day) => date(day, { month: 'short', day: 'numeric' }),
  nothing: 'No se gastó nada en las últimas dos semanas.',
  off: 'El libro de consumo está desactivado. El operador puede activarlo con LEDGER=on.',
  noToken: 'Falta el token o no es válido. Escriba {"authorization": "Bearer …"} en el panel Headers.',
  scopeNeeded:
    'Este token no nombra ningún cliente ni tiene el permiso padron_ledger, por lo que no puede ver llamadas. Use un token con ese permiso.',
  limitedTo: (client) =>
    `Solo ve las llamadas del cliente ${client}. Para ver toda la cuenta, use un token con el permiso padron_ledger.`,
  unknown: (reason) => `No se puede leer el libro de consumo: ${reason}`,
  download: 'Descargar todo como CSV',
  downloadMonth: (month) => `Descargar ${monthName(month)} como CSV`,
  budgets: {
    title: 'Presupuestos',
    none: 'Ninguno. setRegistryBudget define un presupuesto y necesita un token con el permiso padron_budgets.',
    scopeNeeded:
      'Este token no nombra ningún cliente ni tiene el permiso padron_budgets o padron_ledger, por lo que no puede ver presupuestos.',
    account: 'Toda la cuenta',
    client: (client) => `cliente ${client}`,
    tag: (tag) => `etiqueta ${tag}`,
    per: {
      DAY: (units, amount) => `${units}${amount} por día`,
      MONTH: (units, amount) => `${units}${amount} por mes`,
    },
    used: (units, share) => `Uso: ${units} (${share})`,
    uncertain: (units) => `reservado o incierto: ${units}`,
    left: (units, amount) => `Disponible: ${units}${amount}.`,
    noCalls: 'Aún sin llamadas.',
    resets: (moment, timeZone) =>
      `Se renueva el ${moment.toLocaleDateString('es-MX', { dateStyle: 'long', timeZone })}.`,
  },
  months: {
    title: 'Gasto por mes',
    choose: 'Mes',
    name: monthName,
    soFar: (month) => `${monthName(month)} (hasta hoy)`,
    short: (month) => date(`${month}-15`, { month: 'short', year: 'numeric' }),
    total: 'Total',
    uncertain: 'Incierto, además',
    by: { client: 'Por cliente', tag: 'Por etiqueta', endpoint: 'Por endpoint' },
    without: { client: 'Sin cliente', tag: 'Sin etiqueta', endpoint: 'Sin endpoint' },
    hidden: (count) => `y ${count.toLocaleString('es-MX')} más: consulte padron spend`,
  },
  settling: {
    about: (calls, units) => `${calls} sin respuesta utilizable: el costo puede ser de hasta ${units}.`,
    show: (calls) => (calls === 1 ? 'Ver la llamada y cómo conciliarla' : 'Ver las llamadas y cómo conciliarlas'),
    list: 'Llamadas sin conciliar',
    time: (moment, timeZone) => moment.toLocaleString('es-MX', { dateStyle: 'medium', timeStyle: 'short', timeZone }),
    hidden: (count) => `y ${count.toLocaleString('es-MX')} llamadas anteriores`,
    byStatement:
      'Si el estado de cuenta del servicio tiene sumas por endpoint, este comando lo compara con el libro de consumo y concilia las llamadas que coinciden:',
    byCall:
      'Si enumera llamadas individuales, busque cada una por su hora y concíliela con una mutación. El token necesita el permiso padron_ledger_settle.',
    open: 'Abrir la mutación en una pestaña',
  },
};
