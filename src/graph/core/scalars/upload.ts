import type { Readable } from 'node:stream';
import { GraphQLScalarType } from 'graphql';
import { ScalarInputError } from '../client-error';
import type { SecretBytes } from './secret-bytes';

/** A file part of a multipart request. */
export interface UploadingFile {
  createReadStream(): Readable;
}

export const UPLOAD_LIMITS = { bytes: 60_000, deadlineMs: 20_000 } as const;

/**
 * A file of a request. This class is not a promise, because graphql-js would await it before it calls the resolver. The resolver decides how
 * long the bytes are kept.
 */
export class UploadedFile {
  readonly #secrets: SecretBytes;
  readonly #content: Promise<Buffer | null>;

  constructor(arriving: Promise<UploadingFile>, secrets: SecretBytes) {
    this.#secrets = secrets;
    this.#content = arriving.then((file) => collect(file.createReadStream(), secrets)).catch(() => null);
  }

  /** Lends the bytes until `borrower` is released. Returns null if the file is incomplete. Never rejects. */
  content(borrower: SecretBytes): Promise<Buffer | null> {
    borrower.borrow(this.#secrets);
    return this.#content;
  }
}

function collect(stream: Readable, secrets: SecretBytes): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    stream.on('data', (chunk: Buffer) => chunks.push(secrets.keep(chunk)));
    stream.once('end', () => resolve(secrets.keep(Buffer.concat(chunks))));
    stream.once('error', () => resolve(null));
    stream.once('close', () => resolve(null));
  });
}

const NOT_A_FILE =
  'Upload must be a file part of a multipart request, with null as its variable. Without multipart, send base64.';

export const Upload = new GraphQLScalarType<UploadedFile, never>({
  name: 'Upload',
  description: `A file part of a multipart request (GraphQL multipart request specification), at most 60,000 bytes.
Such a request needs a header that makes browsers send a preflight request, for example \`apollo-require-preflight: true\`.`,
  specifiedByURL: 'https://github.com/jaydenseric/graphql-multipart-request-spec',
  parseValue: (value) => {
    if (value instanceof UploadedFile) return value;
    throw new ScalarInputError(NOT_A_FILE);
  },
  parseLiteral: (node) => {
    throw new ScalarInputError(NOT_A_FILE, node);
  },
  serialize: () => {
    throw new TypeError('Upload is for input only.');
  },
});
