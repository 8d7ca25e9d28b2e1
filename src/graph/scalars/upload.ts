import type { Readable } from 'node:stream';
import { GraphQLScalarType } from 'graphql';
import { Upload as UploadPart } from 'graphql-upload-minimal';
import { ScalarInputError } from './scalar-input-error';

/** Result of reading a file: all of its bytes, or the reason why they are missing. */
export type UploadedContent = { readonly bytes: Buffer } | { readonly failure: 'TOO_LARGE' | 'INCOMPLETE' };

/** A part of a multipart request whose header has arrived. */
export interface UploadingFile {
  readonly filename: string;
  readonly mimetype: string;
  createReadStream(): Readable & { readonly truncated?: boolean };
}

export const UPLOAD_LIMITS = { bytes: 60_000, deadlineMs: 20_000 } as const;

const INCOMPLETE: UploadedContent = { failure: 'INCOMPLETE' };
const TOO_LARGE: UploadedContent = { failure: 'TOO_LARGE' };

/**
 * A file of this request, which is read into memory immediately. This class must not be a promise: it would be awaited before the
 * resolver is called, and two files would wait for each other.
 */
export class UploadedFile {
  readonly #content: Promise<UploadedContent>;
  #header: Pick<UploadingFile, 'filename' | 'mimetype'> = { filename: '', mimetype: '' };

  constructor(
    arriving: Promise<UploadingFile>,
    limits: { readonly bytes: number; readonly deadlineMs: number } = UPLOAD_LIMITS,
  ) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), limits.deadlineMs).unref();
    const overdue = new Promise<UploadedContent>((resolve) => {
      stop.signal.addEventListener('abort', () => resolve(INCOMPLETE), { once: true });
    });
    const read = arriving.then((file) => {
      this.#header = { filename: file.filename, mimetype: file.mimetype };
      return collect(file.createReadStream(), limits.bytes, stop.signal);
    });
    this.#content = Promise.race([read.catch(toFailure), overdue]).finally(() => clearTimeout(timer));
  }

  /** File name from the client. Empty until the part has arrived. */
  get filename(): string {
    return this.#header.filename;
  }

  /** File type from the client, which is not reliable. Empty until the part has arrived. */
  get mimetype(): string {
    return this.#header.mimetype;
  }

  /** Returns the bytes or the reason why they are missing. Never rejects. The caller must overwrite the bytes after use. */
  content(): Promise<UploadedContent> {
    return this.#content;
  }
}

/**
 * Reads a stream. After the limit or the deadline the rest is read and discarded, because stopping the stream would block the rest
 * of the request.
 */
function collect(
  stream: ReturnType<UploadingFile['createReadStream']>,
  maxBytes: number,
  stop: AbortSignal,
): Promise<UploadedContent> {
  const chunks: Buffer[] = [];
  let length = 0;
  const zeroize = (): void => {
    for (const chunk of chunks.splice(0)) chunk.fill(0);
  };
  return new Promise((resolve) => {
    const finish = (content: UploadedContent): void => {
      zeroize();
      resolve(content);
    };
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) finish(TOO_LARGE);
      else if (!stop.aborted) chunks.push(chunk);
    });
    stream.once('end', () => finish(stream.truncated ? TOO_LARGE : { bytes: Buffer.concat(chunks) }));
    stream.once('error', () => finish(INCOMPLETE));
    stream.once('close', () => finish(INCOMPLETE));
    stop.addEventListener('abort', zeroize, { once: true });
  });
}

/** Converts an error of the multipart reader: the part is missing, was interrupted, or exceeds the limit of the reader. */
function toFailure(error: unknown): UploadedContent {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return status === 413 ? TOO_LARGE : INCOMPLETE;
}

const NOT_A_FILE =
  'Upload must be a file part of a multipart request, with null as its variable. Without multipart, send base64.';

// Files by part. Variables may be coerced more than once in a request, but the stream of a part can be read only once.
const filesByPart = new WeakMap<UploadPart, UploadedFile>();

/** Returns the file of a part and starts to read it immediately, because the next file arrives only after this one has been read. */
function getUploadedFile(part: UploadPart): UploadedFile {
  const existing = filesByPart.get(part);
  if (existing) return existing;
  const file = new UploadedFile(part.promise);
  filesByPart.set(part, file);
  return file;
}

/** Scalar for a file part of a multipart request. Its value is an `UploadedFile`. */
export const Upload = new GraphQLScalarType<UploadedFile, never>({
  name: 'Upload',
  description: `A file part of a multipart request (GraphQL multipart request specification), at most 60,000 bytes.
Such a request needs a header that makes browsers send a preflight request, for example \`apollo-require-preflight: true\`.`,
  specifiedByURL: 'https://github.com/jaydenseric/graphql-multipart-request-spec',
  parseValue: (value) => {
    if (value instanceof UploadPart) return getUploadedFile(value);
    throw new ScalarInputError(NOT_A_FILE);
  },
  parseLiteral: (node) => {
    throw new ScalarInputError(NOT_A_FILE, node);
  },
  serialize: () => {
    throw new TypeError('Upload is for input only.');
  },
});
