/**
 * Owner of buffers that hold an e.firma or its password. It overwrites them once it is released and no borrower uses them. All
 * other code borrows the buffers: it neither copies nor overwrites them.
 *
 * These copies cannot be overwritten:
 * - texts, which JavaScript cannot change: the password, a file as base64, a key as PEM;
 * - the opened key within OpenSSL, until the garbage collector frees it;
 * - what Node, undici, TLS and the system hold of a message while they receive or send it;
 * - the body of a request that padron rejects before it reads the body.
 */
export class SecretBytes {
  readonly #buffers: Buffer[] = [];
  readonly #borrowed: SecretBytes[] = [];
  #holders = 1;

  /** Calls `work` with a new owner, and releases the owner when `work` settles. */
  static async using<Result>(work: (secrets: SecretBytes) => Promise<Result>): Promise<Result> {
    const secrets = new SecretBytes();
    try {
      return await work(secrets);
    } finally {
      secrets.release();
    }
  }

  /** Takes over a buffer and returns it. If this owner is already released, the buffer is overwritten immediately. */
  keep(buffer: Buffer): Buffer {
    if (this.#holders === 0) buffer.fill(0);
    else this.#buffers.push(buffer);
    return buffer;
  }

  /** Keeps the lender's buffers from being overwritten until this owner is released. */
  borrow(lender: SecretBytes): void {
    lender.#holders += 1;
    this.#borrowed.push(lender);
  }

  /** Releases one hold. The last release overwrites the buffers. */
  release(): void {
    this.#holders -= 1;
    if (this.#holders > 0) return;
    for (const buffer of this.#buffers.splice(0)) buffer.fill(0);
    for (const lender of this.#borrowed.splice(0)) lender.release();
  }
}
