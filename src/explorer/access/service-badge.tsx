import { Tooltip } from '@graphiql/react';
import { texts } from '../language/texts';
import { useStore } from '../store';
import { registryService } from './registry-service';

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
