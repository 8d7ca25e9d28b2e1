import { Int } from 'type-graphql';
import { parseWebUrl } from '../../../identifiers/normalise';
import { fields, nullable, Output } from '../../core/fields';
import { DateTime, Url } from '../../core/scalars/scalars';
import type { ExpectedReceipt } from '../cfdi/types';

@Output('A document of a registry: its signed link, its bytes, or both. Its existence says nothing about its content.')
export class RegistryFile extends fields({
  filename: nullable(String, 'File name, if the service gives one.'),
  contentType: nullable(String, '`application/pdf` or `application/xml`.'),
  sizeBytes: nullable(Int, 'Size in bytes, if known.'),
  url: nullable(
    Url,
    'A signed http(s) link to the bytes, used exactly as it is; no token is needed. Null if the service gives none.',
  ),
  expiresAt: nullable(DateTime, 'When the link stops working. Null if the service does not say.'),
}) {
  /** Bytes in the answer; a text is base64. */
  readonly inlineContent: string | Buffer | null;

  /** Receipt that the CFDI belongs to; null for other files. */
  readonly receipt: ExpectedReceipt | null;
}

export function linkedPdf(url: string | null): RegistryFile {
  return {
    filename: null,
    contentType: 'application/pdf',
    sizeBytes: null,
    url: parseWebUrl(url),
    expiresAt: null,
    inlineContent: null,
    receipt: null,
  };
}

export const spanishNames = {
  content: 'contenido',
  contentProblem: 'problema del contenido',
  contentType: 'tipo de contenido',
  filename: 'nombre del archivo',
  sizeBytes: 'tamaño en bytes',
};
