import type { RunningPadron } from '../../support/padrons/padron';
import { complaintsOf, type Probe } from './probe';

/** The result of a probe. */
export interface Probed {
  readonly probe: string;
  readonly complaints: readonly string[];
}

/** Sends the probes one after the other, so that calls, log lines and prototype pollution belong to one probe. */
export async function tryProbes(padron: RunningPadron, probes: readonly Probe[]): Promise<readonly Probed[]> {
  const probed: Probed[] = [];
  for (const probe of probes) probed.push({ probe: probe.name, complaints: await tryProbe(padron, probe) });
  return probed;
}

async function tryProbe(padron: RunningPadron, probe: Probe): Promise<readonly string[]> {
  const logged = padron.log.length;
  padron.calls();
  try {
    const complaints = complaintsOf(probe, await probe.send(padron.url));
    return [...complaints, ...aftermath(padron, probe, logged)];
  } catch (error) {
    return [`no answer: ${String(error)}`];
  }
}

function aftermath(padron: RunningPadron, probe: Probe, logged: number): readonly string[] {
  const faults = padron.log.slice(logged).filter((line) => line.includes('internal error'));
  // padron learns only from the service that a token is unknown.
  const mayAsk = probe.code === null || probe.code === 'UNAUTHENTICATED';
  const calls = mayAsk ? [] : padron.calls();
  const polluted = 'polluted' in {};
  return [...faults, ...calls.map((call) => `asked ${call}`), ...(polluted ? ['a polluted prototype'] : [])];
}
