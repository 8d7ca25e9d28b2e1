/** Messages for errors of the graph, whose own messages are in English, for developers. */
const byCode: Readonly<Record<string, string>> = {
  UNAUTHENTICATED: 'Falta el token o no es válido. Indíquelo con PADRON_TOKEN o --token.',
  NOT_FOUND: 'La dirección no es la de un grafo de padron. Revise --url.',
  LEDGER_OFF: 'El libro de consumo está desactivado. El operador puede activarlo con DATA_DIR o DATABASE_URL.',
  BATCHES_OFF: 'Los lotes están desactivados. El operador puede activarlos con DATA_DIR o DATABASE_URL.',
  LEDGER_UNAVAILABLE: 'El almacén de datos de padron no está disponible. Inténtelo de nuevo más tarde.',
  OVERLOADED: 'Hay demasiadas solicitudes en este momento. Inténtelo de nuevo en unos segundos.',
  SHUTTING_DOWN: 'El servidor se está reiniciando. Inténtelo de nuevo en un momento.',
};

const english = {
  rejected: (message: string, _code: string) => message,
  unreachable: (origin: string, reason: string) => `Cannot reach padron at ${origin} (${reason}).`,
  noAnswer: 'no answer',
  notAGraph: (status: number) => `The address is not a padron graph (HTTP ${status}). Check --url.`,
};

const spanish: typeof english = {
  rejected: (message, code) => {
    // The last scope in the message is the one to ask for.
    const scope = code === 'FORBIDDEN' ? message.match(/`padron_\w+`/g)?.at(-1) : undefined;
    if (scope !== undefined) return `El token no tiene permiso para esto. Use uno con el permiso ${scope}.`;
    return byCode[code] ?? `padron rechazó la solicitud: ${message}`;
  },
  unreachable: (origin, reason) => `No se puede conectar con padron en ${origin} (${reason}).`,
  noAnswer: 'no responde',
  notAGraph: (status) => `La dirección no es un grafo de padron (HTTP ${status}). Revise --url.`,
};

/** Messages about a graph that rejects a request or does not answer. */
export const graphTexts = { english, spanish } as const;
