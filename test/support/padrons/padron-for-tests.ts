import { startForEachTest, startForTests } from '../start-for-tests';
import type { EngineRig } from '../stores/engines';
import { preparePadron } from './ledger';
import { type RunningPadron, runPadron, type Setup } from './padron';
import { type ProxiedPadron, runPadronBehindProxy } from './padron-behind-proxy';

type Environment = Readonly<Record<string, string>>;

const stop = (padron: RunningPadron): Promise<void> => padron.stop();

/** Runs a padron for the tests of a file or a `describe`. Each test counts only its own calls. */
export function padronForTests(setup: Setup | (() => Setup) = {}): RunningPadron {
  const padron = startForTests(() => runPadron(typeof setup === 'function' ? setup() : setup), stop);
  beforeEach(() => void padron.calls());
  return padron;
}

export function padronForEachTest(setup: Setup = {}): RunningPadron {
  return startForEachTest(() => runPadron(setup), stop);
}

export function padronStarter(): (environment?: Environment) => Promise<RunningPadron> {
  const running: RunningPadron[] = [];
  afterEach(() => Promise.all(running.splice(0).map(stop)));
  return async (environment = {}) => {
    const padron = await runPadron({ environment });
    running.push(padron);
    return padron;
  };
}

export function ledgerPadronForTests(rig: EngineRig, environment: Environment = {}, setup: Setup = {}): RunningPadron {
  return startForTests(async () => (await preparePadron(rig, environment)).start(setup), stop);
}

/** Runs a padron behind a tampering proxy for the tests of a file or a `describe`. When a test begins, the proxy passes everything on. */
export function proxiedPadronForTests(
  environment: Environment = {},
  rig: EngineRig | null = null,
  setup: Pick<Setup, 'now'> = {},
): ProxiedPadron {
  const padron = startForTests(async () => {
    const store = await rig?.settings();
    return runPadronBehindProxy({ ...store?.environment, ...environment }, setup);
  }, stop);
  beforeEach(() => {
    padron.proxy.reset();
    padron.calls();
  });
  return padron;
}

export function proxiedPadronForEachTest(environment: Environment = {}, rig?: EngineRig): ProxiedPadron {
  return startForEachTest(async () => {
    const store = await rig?.settings();
    return runPadronBehindProxy({ ...store?.environment, ...environment });
  }, stop);
}
