import type { OpenedEntry } from './entry-json';

/** A call under way. `entry` is null when the call has ended or its person was erased, because sets keep what they refer to for a while. */
interface RunningCall {
  entry: OpenedEntry | null;
}

interface FoundCalls {
  readonly ids: readonly string[];
  forget(): void;
}

/** The calls of this process whose entries have no result yet. The store may not know them, so an erasure looks for them here. */
export class RunningCalls {
  private readonly calls = new Set<RunningCall>();

  add(entry: OpenedEntry): () => void {
    const call: RunningCall = { entry };
    this.calls.add(call);
    return () => {
      call.entry = null;
      this.calls.delete(call);
    };
  }

  /** Returns the calls of an account about a person, if their requests began until `at`. `forget` makes later searches skip them. */
  find(accounts: readonly string[], hashes: readonly string[], at: Date): FoundCalls {
    const isAbout = ({ account, subjects, began }: OpenedEntry): boolean =>
      began <= at.getTime() && accounts.includes(account) && subjects.some(([, hash]) => hashes.includes(hash));
    const found = [...this.calls].filter(({ entry }) => entry !== null && isAbout(entry));
    return {
      ids: found.flatMap(({ entry }) => entry?.id ?? []),
      forget: () => {
        for (const call of found) call.entry = null;
      },
    };
  }
}
