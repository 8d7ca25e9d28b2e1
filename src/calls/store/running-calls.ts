import type { NewCall } from '../call';

/** A call under way. `call` is null when it has ended, because sets keep what they refer to for a while. */
interface Entry {
  call: NewCall | null;
  isErased: boolean;
}

interface FoundCalls {
  readonly ids: readonly string[];
  forget(): void;
}

/** The calls of this process that have no result yet. The store may not know them. */
export class RunningCalls {
  private readonly calls = new Set<Entry>();

  add(call: NewCall): () => void {
    const entry: Entry = { call, isErased: false };
    this.calls.add(entry);
    return () => {
      entry.call = null;
      this.calls.delete(entry);
    };
  }

  /** Returns the calls whose answers other processes may wait for. */
  shared(): readonly NewCall[] {
    return [...this.calls].flatMap(({ call }) => (call !== null && call.names.length > 0 ? [call] : []));
  }

  /** Returns the calls of an account about a person, if their requests began until `at`. `forget` makes later searches skip them. */
  find(accounts: readonly string[], hashes: readonly string[], at: Date): FoundCalls {
    const isAbout = ({ call, isErased }: Entry): boolean => {
      const entry = call?.entry ?? null;
      if (entry === null || isErased || entry.began > at.getTime() || !accounts.includes(entry.account)) return false;
      return entry.subjects.some(([, hash]) => hashes.includes(hash));
    };
    const found = [...this.calls].filter(isAbout);
    return {
      ids: found.flatMap(({ call }) => call?.id ?? []),
      forget: () => {
        for (const entry of found) entry.isErased = true;
      },
    };
  }
}
