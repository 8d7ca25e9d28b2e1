import { Field, Int, ObjectType } from 'type-graphql';
import { parseWebUrl } from '../../../identifiers/web-url';
import { DateTime, Url } from '../../core/scalars/scalars';
import type { ExpectedReceipt } from '../cfdi/types';

@ObjectType({
  description:
    'A document of a registry: its signed link, its bytes, or both. Its existence says nothing about its content.',
})
export class RegistryFile {
  @Field(() => String, { nullable: true, description: 'File name, if the service gives one.' })
  readonly filename: string | null;

  @Field(() => String, { nullable: true, description: '`application/pdf` or `application/xml`.' })
  readonly contentType: string | null;

  @Field(() => Int, { nullable: true, description: 'Size in bytes, if known.' })
  readonly sizeBytes: number | null;

  @Field(() => Url, {
    nullable: true,
    description:
      'A signed http(s) link to the bytes, used exactly as it is; no token is needed. Null if the service gives none.',
  })
  readonly url: string | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the link stops working. Null if the service does not say.',
  })
  readonly expiresAt: string | null;

  /** Bytes in the answer; a text is base64. */
  readonly inlineContent: string | Buffer | null;

  /** Receipt that the CFDI belongs to; null for other files. */
  readonly receipt: ExpectedReceipt | null;
}

/** Returns a PDF for which the service gave only a link. */
export function linkedPdf(url: string): RegistryFile {
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
