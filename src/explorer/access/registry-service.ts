import type { ExplorerSettings } from '../../server/explorer/settings';
import { createStore } from '../store';

type Service = ExplorerSettings['service'];

/** Whose answers are shown. */
export const registryService = createStore<Service>('remote');

/** Takes note of what an answer says of itself. Once a sandbox, the page stays so marked: what it showed stays invented. */
export function noteService(service: string | null): void {
  if (service !== 'embedded-sandbox' && service !== 'remote-sandbox') return;
  if (registryService.get() !== service) registryService.set(service);
}
