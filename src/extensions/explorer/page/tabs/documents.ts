import type { ExplorerSettings, ExplorerTab } from '../../../../../schema/explorer-settings';
import { isSpanish } from '../language/language';

const spanishComments: Readonly<Record<string, string>> = {
  PersonProfile: `# El perfil de una persona a partir de un identificador. padron busca el nombre y la CURP, y paga cada pregunta una sola vez.
# Muestre un registro solo si sus \`problems\` no tienen ANSWER_MISMATCH ni IDENTITY_CONFLICT. \`consistency\` compara las respuestas sin costo.`,
  EmployerYear:
    '# Un año de un patrón: los comprobantes de cada mes con sus archivos, las fotos del padrón (snapshots) y la clasificación del registro patronal.',
  ReceiptFiles:
    '# Los archivos de un comprobante con sus bytes, y el contenido de su CFDI, sin pagar la lista del mes.',
  ComplianceOpinion:
    '# La opinión 32-D de hoy y lo que dice. FOUND no significa que sea positiva. padron busca el sujeto obligado y el RFC.',
  LicenceCheck: '# ¿Es válida esta cédula profesional, y de quién es?',
  CertificateCheck: '# ¿Es válido este certificado electrónico de estudios, y de quién es?',
  SignatureCheck:
    '# ¿Es válida hoy esta e.firma? Envíe los archivos como partes de una solicitud multipart, o en base64.',
  PersonCredit:
    '# ¿Tiene la persona un crédito de vivienda? Una consulta por persona, permitida en lotes. Con la CURP se compara la respuesta.',
  MistypedCurp:
    '# padron rechaza un identificador mal escrito. El problema dice qué regla no se cumple, y no se cobra nada.',
  BudgetRejection:
    '# El encabezado x-max-units es un presupuesto. Una operación que pueda costar más se rechaza con su desglose antes de consultar.',
  EndpointPrices: '# El precio de cada endpoint, el permiso que necesita y los campos que lo usan. Sin costo.',
};

export function translateComment(tab: ExplorerTab): ExplorerTab {
  const spanish = spanishComments[getOperationName(tab.query) ?? ''];
  if (!isSpanish || spanish === undefined) return tab;
  return { ...tab, query: `${spanish}\n${withoutComment(tab.query)}` };
}

const storageKey = 'padron:documents';

/** Saves the documents of the tabs until the browser's tab is closed, so that a reload does not lose the user's work. */
export function saveDocuments(queries: readonly string[], { tabs }: ExplorerSettings): void {
  const examples = new Set(tabs.map(({ query }) => query));
  const saved = queries.map((query) => (examples.has(query) ? query : redactValues(query)));
  sessionStorage.setItem(storageKey, JSON.stringify(saved));
}

/** Returns the initial tabs: a linked operation, then the saved documents, or the examples. A saved example has the example's variables. */
export function getInitialTabs(settings: ExplorerSettings, linked: string | null): readonly ExplorerTab[] {
  const saved = readSavedDocuments();
  const tabs = saved.length === 0 ? settings.tabs : saved.map((query) => toTab(query, settings));
  if (linked === null) return tabs;
  const opened = [toTab(linked, settings), ...tabs];
  saveDocuments(
    opened.map(({ query }) => query),
    settings,
  );
  return opened;
}

function toTab(query: string, { tabs, headers }: ExplorerSettings): ExplorerTab {
  const name = getOperationName(query);
  const example = tabs.find((tab) => name !== null && getOperationName(tab.query) === name);
  if (example === undefined) return { query, variables: '', headers };
  // The language may have changed since the document was saved, and with it the comment of the example.
  return withoutComment(example.query) === withoutComment(query) ? example : { ...example, query };
}

export function withoutComment(query: string): string {
  return query.replace(/^(?:\s*#.*\n)+/, '');
}

/** Removes text, long numbers and comments from a document, because they may identify people or contain passwords. */
export function redactValues(query: string): string {
  return query.replace(/"""[\s\S]*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?|#.*|\d{5,}/g, (literal) => {
    if (literal.startsWith('#')) return '#';
    return literal.startsWith('"') ? '""' : '0';
  });
}

function readSavedDocuments(): readonly string[] {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(saved) ? saved.filter((query) => typeof query === 'string' && query.trim() !== '') : [];
  } catch {
    return [];
  }
}

/** Returns the name of the first named operation of a document, even if the document has a syntax error. */
export function getOperationName(query: string): string | null {
  return /^\s*(?:query|mutation)\s+(\w+)/m.exec(query)?.[1] ?? null;
}
