import { Tooltip } from '@graphiql/react';
import type { ExplorerSettings } from '../../../../schema/explorer-settings';
import { texts } from './language/texts';
import { createStore, useStore } from './store';

/** A badge that marks answers of a sandbox as invented. */
export function ServiceBadge() {
  const service = useStore(registryService);
  if (service === 'remote') return null;
  const about = texts.inventedAbout[service];
  return (
    <Tooltip label={about}>
      <span className="padron-badge" role="note" aria-label={`${texts.invented}. ${about}`}>
        {texts.invented}
      </span>
    </Tooltip>
  );
}

type Service = ExplorerSettings['service'];

export const registryService = createStore<Service>('remote');

/** Records the service that a response names. After an answer of a sandbox the page stays marked, because that answer is invented. */
export function recordService(service: string | null): void {
  if (service !== 'embedded-sandbox' && service !== 'remote-sandbox') return;
  if (registryService.get() !== service) registryService.set(service);
}
