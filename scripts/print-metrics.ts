/** Prints docs/metrics.md from the metrics that padron registers: npm run print:metrics */
import { metricsPage } from './metrics-page';

process.stdout.write(metricsPage());
