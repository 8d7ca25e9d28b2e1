/**
 * Owner of buffers that hold an e.firma or its password. It overwrites them once it is released and no borrower uses them. All
 * other code borrows the buffers: it neither copies nor overwrites them.
 *
 * These copies cannot be overwritten:
 * - texts, which JavaScript cannot change: the password, a file as base64, a key as PEM;
 * - the opened key within OpenSSL, until the garbage collector frees it;
 * - what Node, undici, TLS and the system hold of a message while they receive or send it;
 * - the body of a request that padron refuses before it reads the body.
 */
export class SecretBytes {
  readonly #buffers: Buffer[] = [];
  readonly #borrowed: SecretBytes[] = [];
  #holders = 1;

  /** Runs work with an owner that is released when the work ends, in whatever way. */
  static async during<Result>(work: (secrets: SecretBytes) => Promise<Result>): Promise<Result> {
    const secrets = new SecretBytes();
    try {
      return await work(secrets);
    } finally {
      secrets.release();
    }
  }

  /** Takes over a buffer and returns it. A buffer that arrives after the end is overwritten immediately. */
  keep(buffer: Buffer): Buffer {
    if (this.#holders === 0) buffer.fill(0);
    else this.#buffers.push(buffer);
    return buffer;
  }

  /** Keeps the buffers of a lender as they are until this owner has ended. */
  borrow(lender: SecretBytes): void {
    lender.#holders += 1;
    this.#borrowed.push(lender);
  }

  /** Ends the use by the holder that calls it. The last one overwrites the buffers. */
  release(): void {
    this.#holders -= 1;
    if (this.#holders > 0) return;
    for (const buffer of this.#buffers.splice(0)) buffer.fill(0);
    for (const lender of this.#borrowed.splice(0)) lender.release();
  }
}
