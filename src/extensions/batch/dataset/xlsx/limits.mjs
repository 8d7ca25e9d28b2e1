// @ts-check

/** @typedef {'TOO_LARGE' | 'ENCRYPTED' | 'NOT_A_WORKBOOK' | 'UNREADABLE'} WorkbookProblem */

export class WorkbookError extends Error {
  /** @param {WorkbookProblem} code */
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/** Maximum bytes of a workbook, which are those of an upload. */
export const maxFileBytes = 200_000_000;
const maxEntries = 10_000;
const maxUnpackedBytes = 1_000_000_000;
const maxStrings = 2_000_000;
const maxStringCharacters = 60_000_000;

/** Counts what a workbook unpacks to, and the CPU time that it takes, because a small file can unpack to terabytes. */
export class Limits {
  #maxCpuSeconds;
  #bytes = 0;
  #entries = 0;
  #strings = 0;
  #characters = 0;

  /** @param {number} maxCpuSeconds */
  constructor(maxCpuSeconds) {
    this.#maxCpuSeconds = maxCpuSeconds;
  }

  countEntry() {
    this.#entries += 1;
    if (this.#entries > maxEntries) throw new WorkbookError('TOO_LARGE');
  }

  /** @param {string} text */
  countString(text) {
    this.#strings += 1;
    this.#characters += text.length;
    if (this.#strings > maxStrings || this.#characters > maxStringCharacters) throw new WorkbookError('TOO_LARGE');
  }

  /**
   * Returns the text of a part of the workbook, as far as the limit allows.
   * @param {import('node:stream').Readable} stream
   * @returns {AsyncGenerator<string>}
   */
  async *count(stream) {
    const decoder = new TextDecoder('utf-8');
    for await (const chunk of stream) {
      this.#bytes += chunk.length;
      const { user, system } = process.cpuUsage();
      if (this.#bytes > maxUnpackedBytes || user + system > this.#maxCpuSeconds * 1e6)
        throw new WorkbookError('TOO_LARGE');
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  }
}
