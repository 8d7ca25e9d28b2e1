/**
 * Tells those who listen that nobody waits any more. In the place of an AbortSignal: a request needs one, and one more for each
 * of its questions, and an event target costs more than the question.
 */
export class Gone {
  private listeners: Set<() => void> | null = null;
  private told = false;

  get happened(): boolean {
    return this.told;
  }

  /** What to do when it happens; not called for what has happened before. */
  whenGone(listener: () => void): void {
    if (this.told) return;
    this.listeners ??= new Set();
    this.listeners.add(listener);
  }

  /** Lets go of a listener, so that a long request does not hold on to all that it once waited for. */
  forget(listener: () => void): void {
    this.listeners?.delete(listener);
  }

  tell(): void {
    if (this.told) return;
    this.told = true;
    for (const listener of this.listeners ?? []) listener();
    this.listeners = null;
  }
}
