import { readdirSync, readFileSync } from 'node:fs';

/** Those that a stopped process takes too. */
export type FamilySignal = 'SIGKILL' | 'SIGSTOP' | 'SIGCONT';

/** Sends a signal to a process and its children, each of which may lead a group of its own, as those of PostgreSQL do. */
export function signalFamily(pid: number, name: FamilySignal): void {
  // Stopped first, so that it starts no further child while they are looked for.
  signal(pid, 'SIGSTOP');
  for (const each of [...childrenOf(pid), pid]) signal(each, name);
}

function childrenOf(parent: number): readonly number[] {
  const all = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  return all.map(Number).filter((pid) => parentOf(pid) === parent);
}

/** Null where the process has ended since it was listed. */
function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name, which stands in parentheses and may hold any character: state, then parent.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

/** One that has ended meanwhile has nothing to be told. */
function signal(pid: number, name: FamilySignal): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
