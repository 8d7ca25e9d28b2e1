// Loaded by `node --require` before any other module: writes to CONNECTIONS_FILE where this process and its children connect to,
// which names they look up, and which programs they start. Children that get no environment from padron are recorded too.
const { appendFileSync } = require('node:fs');
const { ChildProcess } = require('node:child_process');
const dgram = require('node:dgram');
const dns = require('node:dns');
const net = require('node:net');

const file = process.env.CONNECTIONS_FILE;
const record = (kind, target) => appendFileSync(file, `${JSON.stringify({ kind, target })}\n`);

/** Calls `observe` with the arguments of a function before the function runs. */
function watch(owner, name, observe) {
  const original = owner[name];
  owner[name] = function (...args) {
    observe(...args);
    return original.apply(this, args);
  };
}

watch(net.Socket.prototype, 'connect', (...args) => {
  const [{ host = 'localhost', port, path }] = Array.isArray(args[0]) ? args[0] : net._normalizeArgs(args);
  if (path) record('local socket', path);
  else record('connect', `${host}:${port}`);
});
watch(dgram.Socket.prototype, 'bind', () => record('datagram', ''));
for (const owner of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
  for (const name of Object.getOwnPropertyNames(owner))
    if (/^(lookup|resolve|reverse)/.test(name))
      watch(owner, name, (host) => {
        if (net.isIP(host) === 0) record('lookup', host);
      });
watch(ChildProcess.prototype, 'spawn', (options) => {
  record('program', options.file);
  options.args.splice(1, 0, '--require', __filename);
  options.envPairs.push(`CONNECTIONS_FILE=${file}`);
});
