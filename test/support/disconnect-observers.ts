import { PerformanceObserver } from 'node:perf_hooks';

/**
 * Disconnects the observers of a file of tests after it. prom-client never does, and Node would keep everything that the file has loaded:
 * a worker with a heap of gigabytes collects garbage instead of running tests, and does not end in time.
 */
const observe = jest.spyOn(PerformanceObserver.prototype, 'observe');
afterAll(() => {
  for (const observer of observe.mock.contexts) observer.disconnect();
  observe.mockRestore();
});
