/** Preloaded into each measured process: tells its own CPU time and memory, and watches its event loop when asked to. */
const tickMs = 5;
let watch = null;

function startWatch() {
  const state = { wall: performance.now(), cpu: cpuMs(), maxCpuMs: 0 };
  state.timer = setInterval(() => {
    const wall = performance.now();
    const cpu = cpuMs();
    // On a busy machine a late tick may be another process's fault: what the tick cost in CPU tells ours apart.
    state.maxCpuMs = Math.max(state.maxCpuMs, Math.min(cpu - state.cpu, wall - state.wall));
    state.wall = wall;
    state.cpu = cpu;
  }, tickMs);
  watch = state;
}

function endWatch() {
  if (watch === null) return null;
  const { timer, maxCpuMs } = watch;
  clearInterval(timer);
  watch = null;
  return { maxCpuMs };
}

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

process.on('message', ({ id, ask }) => {
  if (ask === 'watch') startWatch();
  const loop = ask === 'endWatch' ? endWatch() : null;
  const { rss } = process.memoryUsage();
  process.send({ id, cpuMs: cpuMs(), rss, peakRss: process.resourceUsage().maxRSS * 1_024, loop });
});
