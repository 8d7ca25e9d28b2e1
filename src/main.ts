import { ConfigError, loadEnvFile, misspeltSettings } from './config/config';
import { findIgnored } from './config/conflicting-settings';
import { watchSecretFiles } from './config/secret-watch';
import { extensions as ownExtensions } from './extensions';
import { describeProxies } from './server/check/proxied-systems';
import { extensionsFor } from './server/extension';
import { readConfigAndPrices } from './server/prices';
import { startPadron } from './server/start';
import { createLogger } from './server/telemetry/logger';
import { startSpanExport } from './server/telemetry/span-export';

/** Exit code of a process that stopped because a newer version migrates its store. */
const superseded = 3;

async function main(): Promise<void> {
  loadEnvFile();
  const { env: environment } = process;
  const extensions = await extensionsFor(environment, ownExtensions);
  const config = readConfigAndPrices(environment, extensions);
  const log = createLogger(config.logLevel);
  for (const { name, nearest } of misspeltSettings(environment, extensions)) log.misspeltSetting(name, nearest);
  for (const notice of findIgnored(config, environment)) log.notice('warn', notice);
  let latest = config;
  watchSecretFiles(environment, extensions, (change) => {
    latest = change.config ?? latest;
    log.secretsChanged(change);
  });
  const spanExport = startSpanExport(environment, config.proxies, log);
  for (const notice of describeProxies(config, environment)) log.notice('info', notice);
  const padron = await startPadron(config, log, extensions, { latest: () => latest });
  let exitCode: number | null = null;
  const stop = (code: number): void => {
    const isStopping = exitCode !== null;
    exitCode = Math.max(exitCode ?? 0, code);
    if (isStopping) return;
    const stopped = padron.stop().then(() => spanExport.stop());
    stopped.then(
      () => process.exit(exitCode),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (exitCode === null) log.stopping(signal);
      stop(0);
    });
  }
  void padron.superseded.then((migrations) => {
    if (exitCode === null) log.storeSuperseded(migrations);
    stop(superseded);
  });
  // Without this listener, Node would print the error's message, which may quote a client, and drop running calls that are paid.
  process.on('uncaughtException', (error) => {
    log.fatal(error);
    stop(1);
  });
  // The greeting is printed last, so that a signal sent after it stops padron in order.
  // Standard output has the log only.
  process.stderr.write(padron.greeting());
}

/** Returns what is wrong and what to do, or the stack of an unexpected error. */
function explain(error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${(error as { port?: number }).port} is in use by another program. Stop that program, or set PORT to a different port.`;
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return 'HOST is not an address of this machine. Set it to one that is, such as 127.0.0.1.';
  if (error.code === 'EACCES')
    return 'This user may not listen on PORT. Set PORT to 1024 or higher, or grant the right.';
  return error instanceof ConfigError ? error.message : (error.stack ?? error.message);
}

main().catch((error: NodeJS.ErrnoException) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
