/** Preloaded into each measured process: tells its own CPU time and memory, and watches its event loop when asked to. */
const { monitorEventLoopDelay } = require('node:perf_hooks');

const tickMs = 5;
let watch = null;

function startWatch() {
  const delay = monitorEventLoopDelay({ resolution: tickMs });
  delay.enable();
  const state = { delay, wall: performance.now(), cpu: cpuMs(), maxTick: { wallMs: 0, cpuMs: 0 }, maxCpuMs: 0 };
  state.timer = setInterval(() => {
    const wall = performance.now();
    const cpu = cpuMs();
    const tick = { wallMs: wall - state.wall, cpuMs: cpu - state.cpu };
    // On a busy machine a late tick may be another process's fault: what the tick cost in CPU tells ours apart.
    if (tick.wallMs > state.maxTick.wallMs) state.maxTick = tick;
    state.maxCpuMs = Math.max(state.maxCpuMs, Math.min(tick.cpuMs, tick.wallMs));
    state.wall = wall;
    state.cpu = cpu;
  }, tickMs);
  watch = state;
}

function endWatch() {
  if (watch === null) return null;
  clearInterval(watch.timer);
  watch.delay.disable();
  const { delay, maxTick, maxCpuMs } = watch;
  watch = null;
  return { p99Ms: delay.percentile(99) / 1e6, maxMs: delay.max / 1e6, maxTick, maxCpuMs };
}

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

process.on('message', ({ id, ask }) => {
  if (ask === 'watch') startWatch();
  const loop = ask === 'endWatch' ? endWatch() : null;
  const { rss, heapUsed } = process.memoryUsage();
  process.send({ id, cpuMs: cpuMs(), rss, heapUsed, peakRss: process.resourceUsage().maxRSS * 1_024, loop });
});
