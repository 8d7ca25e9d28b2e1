import type { ExplorerTab } from '../../server/explorer/settings';
import { isSpanish } from '../language/texts';
import { getOperationName, withoutComment } from './documents';

/** Comments of the examples in Spanish, by operation. */
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
  PersonCredit: '# ¿Tiene la persona un crédito de vivienda? Una llamada por persona, permitida en lotes.',
  MistypedCurp:
    '# padron rechaza un identificador mal escrito. El problema dice qué regla no se cumple, y no se cobra nada.',
  BudgetRejection:
    '# El encabezado x-max-units es un presupuesto. Una operación que pueda costar más se rechaza con su desglose antes de enviar llamadas.',
  EndpointPrices: '# El precio de cada endpoint, el permiso que necesita y los campos que lo usan. Sin costo.',
};

/** Returns an example with its comment in the user's language. */
export function translateComment(tab: ExplorerTab): ExplorerTab {
  const spanish = spanishComments[getOperationName(tab.query) ?? ''];
  if (!isSpanish || spanish === undefined) return tab;
  return { ...tab, query: `${spanish}\n${withoutComment(tab.query)}` };
}
