import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';

/** A file behind a signed link. */
export interface LinkedFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** How a test card breaks a link: gone, answering something else than the file, or on a host that is not ours. */
export type LinkFault = 'expired' | 'unusable' | 'foreign';

export interface IssuedLinks {
  readonly expiresAt: Date;
  url(path: (token: string) => string): string;
}

interface Stored {
  readonly files: ReadonlyMap<string, LinkedFile>;
  readonly expiresAt: number;
  readonly fault: LinkFault | undefined;
}

export type Fetched = LinkedFile | 'gone' | 'unsigned' | 'unusable';

const HOUR = 3_600_000;
const KEPT = 2_000;
const FOREIGN_ORIGIN = 'https://archivos.invalid';

/** The signed links of one sandbox. The oldest are dropped beyond a number, as a cache would. */
export class Links {
  private readonly key = randomBytes(32);
  private readonly stored = new Map<string, Stored>();

  constructor(private readonly now: () => Date) {}

  issue(origin: string, files: ReadonlyMap<string, LinkedFile>, fault?: LinkFault): IssuedLinks {
    const token = randomUUID();
    const expiresAt = new Date(this.now().getTime() + HOUR);
    this.stored.set(token, { files, expiresAt: expiresAt.getTime(), fault });
    const [oldest] = this.stored.keys();
    if (this.stored.size > KEPT && oldest) this.stored.delete(oldest);
    const expires = String(Math.floor(expiresAt.getTime() / 1000));
    return {
      expiresAt,
      url: (pathOf) => {
        const path = pathOf(token);
        const host = fault === 'foreign' ? FOREIGN_ORIGIN : origin;
        return `${host}${path}?expires=${expires}&signature=${this.sign(path, expires)}`;
      },
    };
  }

  fetch(path: string, token: string, file: string, expires: string, signature: string): Fetched {
    const stored = this.stored.get(token);
    const linked = stored?.files.get(file);
    if (!stored || !linked || stored.fault === 'expired' || this.now().getTime() >= stored.expiresAt) return 'gone';
    if (!this.isSigned(path, expires, signature)) return 'unsigned';
    return stored.fault === 'unusable' ? 'unusable' : linked;
  }

  private sign(path: string, expires: string): string {
    return createHmac('sha256', this.key).update(`${path}?expires=${expires}`).digest('hex');
  }

  private isSigned(path: string, expires: string, signature: string): boolean {
    const expected = Buffer.from(this.sign(path, expires));
    const given = Buffer.from(signature);
    return expected.length === given.length && timingSafeEqual(expected, given);
  }
}
