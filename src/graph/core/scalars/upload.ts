import type { Readable } from 'node:stream';
import { GraphQLScalarType } from 'graphql';
import { ScalarInputError } from './scalar-input-error';
import type { SecretBytes } from './secret-bytes';

/** A part of a multipart request whose header has arrived. */
export interface UploadingFile {
  createReadStream(): Readable;
}

export const UPLOAD_LIMITS = { bytes: 60_000, deadlineMs: 20_000 } as const;

/**
 * A file of a request, which is read into memory immediately, because the next file arrives only after this one has been read. This
 * class must not be a promise: it would be awaited before the resolver is called, and two files would wait for each other.
 */
export class UploadedFile {
  readonly #secrets: SecretBytes;
  readonly #content: Promise<Buffer | null>;

  /** `requestEnd` resolves when the request has been answered or its client has disconnected. */
  constructor(arriving: Promise<UploadingFile>, secrets: SecretBytes, requestEnd: Promise<void>) {
    const read = arriving.then((file) => collect(file.createReadStream(), secrets));
    this.#secrets = secrets;
    this.#content = Promise.race([read, requestEnd.then(() => null)]).catch(() => null);
  }

  /** Lends the bytes until `borrower` has ended. Returns null if the file is incomplete. Never rejects. */
  content(borrower: SecretBytes): Promise<Buffer | null> {
    borrower.borrow(this.#secrets);
    return this.#content;
  }
}

/** Reads a stream to its end, however long it is, because stopping it would block the rest of the request. */
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
