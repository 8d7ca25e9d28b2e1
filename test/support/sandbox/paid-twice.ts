import type { SandboxCall } from '../../../src/extensions/sandbox/service';

export function paidTwice(calls: readonly SandboxCall[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { endpoint, input, units } of calls) {
    if (units === 0) continue;
    const question = `${endpoint} ${JSON.stringify(input)}`;
    counts.set(question, (counts.get(question) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 1).map(([question]) => question);
}
