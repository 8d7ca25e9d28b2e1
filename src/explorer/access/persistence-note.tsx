import { useGraphiQL } from '@graphiql/react';
import { texts } from '../language/texts';
import { useLastRun } from '../requests/run';
import { forgetToken } from './kept-token';

/** Notes shown until the first response: what a reload preserves, and where to enter a token. `keepsToken` is true if the user enters one. */
export function PersistenceNote({ keepsToken }: { readonly keepsToken: boolean }) {
  const hasSchema = useGraphiQL(({ schema }) => Boolean(schema));
  if (useLastRun() !== null) return null;
  if (!keepsToken) return <p className="padron-persistence">{texts.persistence}</p>;
  return (
    <div className="padron-persistence">
      {!hasSchema && <p role="status">{texts.tokenNeeded}</p>}
      <p>{texts.persistenceWithToken}</p>
      <button type="button" className="padron-header-button" onClick={forgetToken}>
        {texts.forgetToken}
      </button>
    </div>
  );
}
