import { readdirSync, readFileSync } from 'node:fs';

/** Signals that also reach a stopped process. */
export type FamilySignal = 'SIGKILL' | 'SIGSTOP' | 'SIGCONT';

/**
 * Sends a signal to a process and its children, each of which may lead a separate group, as those of PostgreSQL do. Returns their
 * IDs.
 */
export function signalFamily(pid: number, name: FamilySignal): readonly number[] {
  // The process is stopped first, so that it starts no further child meanwhile.
  signal(pid, 'SIGSTOP');
  const family = [...childrenOf(pid), pid];
  for (const each of family) signal(each, name);
  return family;
}

/** Whether the process has ended. Its id may remain if its parent has not collected its exit status. */
export function hasEnded(pid: number): boolean {
  const state = statusOf(pid)?.state;
  return state === undefined || state === 'Z' || state === 'X';
}

function childrenOf(parent: number): readonly number[] {
  const all = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  return all.map(Number).filter((pid) => statusOf(pid)?.parent === parent);
}

function statusOf(pid: number): { readonly state: string; readonly parent: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The values follow the name, which is in parentheses and may contain any character.
    const [state = '', parent = ''] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return null;
  }
}

/** A process that has ended meanwhile needs no signal. */
function signal(pid: number, name: FamilySignal): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
