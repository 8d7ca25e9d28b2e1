import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';

export interface LinkedFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** Failure of a test card's link: the link has expired, answers something other than the file, or is on a foreign host. */
export type LinkFailure = 'expired' | 'unusable' | 'foreign';

export interface IssuedLinks {
  readonly expiresAt: Date;
  url(path: (token: string) => string): string;
}

interface StoredFiles {
  readonly files: ReadonlyMap<string, LinkedFile>;
  readonly expiresAt: number;
  readonly failure: LinkFailure | undefined;
}

export type FetchResult = LinkedFile | 'gone' | 'unsigned' | 'unusable';

const HOUR_MS = 3_600_000;
const MAX_STORED = 2_000;
const FOREIGN_ORIGIN = 'https://archivos.invalid';

/** Signed links of one sandbox. The oldest are dropped when there are too many. */
export class SignedLinks {
  private readonly key = randomBytes(32);
  private readonly stored = new Map<string, StoredFiles>();

  constructor(private readonly now: () => Date) {}

  issue(origin: string, files: ReadonlyMap<string, LinkedFile>, failure?: LinkFailure): IssuedLinks {
    const token = randomUUID();
    const expiresAt = new Date(this.now().getTime() + HOUR_MS);
    this.stored.set(token, { files, expiresAt: expiresAt.getTime(), failure });
    const [oldest] = this.stored.keys();
    if (this.stored.size > MAX_STORED && oldest) this.stored.delete(oldest);
    const expires = String(Math.floor(expiresAt.getTime() / 1000));
    return {
      expiresAt,
      url: (toPath) => {
        const path = toPath(token);
        const host = failure === 'foreign' ? FOREIGN_ORIGIN : origin;
        return `${host}${path}?expires=${expires}&signature=${this.sign(path, expires)}`;
      },
    };
  }

  fetch(path: string, token: string, file: string, expires: string, signature: string): FetchResult {
    const stored = this.stored.get(token);
    const linked = stored?.files.get(file);
    if (!stored || !linked || stored.failure === 'expired' || this.now().getTime() >= stored.expiresAt) return 'gone';
    if (!this.isSigned(path, expires, signature)) return 'unsigned';
    return stored.failure === 'unusable' ? 'unusable' : linked;
  }

  private sign(path: string, expires: string): string {
    return createHmac('sha256', this.key).update(`${path}?expires=${expires}`).digest('hex');
  }

  private isSigned(path: string, expires: string, signature: string): boolean {
    const expected = Buffer.from(this.sign(path, expires));
    const actual = Buffer.from(signature);
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  }
}
