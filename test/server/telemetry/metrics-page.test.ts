import { metricsPage } from '../../../scripts/metrics-page';
import { readPage } from '../../support/pages';

/** prom-client exports other metrics of the process on other systems. */
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('docs/metrics.md', () => {
  onLinux('is what `npm run print:metrics` prints', () => {
    expect(readPage('docs/metrics.md').text).toBe(metricsPage());
  });
});
