import type { ExplorerSettings } from '../../server/explorer/settings';
import { createStore } from '../store';

type Service = ExplorerSettings['service'];

/** The service whose answers the page shows. */
export const registryService = createStore<Service>('remote');

/** Records the service that a response names. After an answer of a sandbox the page stays marked, because that answer is invented. */
export function recordService(service: string | null): void {
  if (service !== 'embedded-sandbox' && service !== 'remote-sandbox') return;
  if (registryService.get() !== service) registryService.set(service);
}
