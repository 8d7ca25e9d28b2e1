import { UnStyledButton } from '@graphiql/react';
import { findFiles } from '../files/response-files';
import { formatNumber } from '../language/language';
import { texts } from '../language/texts';
import { openPanel } from '../layout/panels';
import { useLastRun } from '../requests/run';

export function Summary() {
  const run = useLastRun();
  if (run === null) return null;
  const { units } = run.response.extensions ?? {};
  const left = units?.budgets?.[0]?.left;
  const calls = units?.calls ?? [];
  const replays = calls.filter(({ servedFrom }) => servedFrom === 'REPLAY' || servedFrom === 'KEPT').length;
  const sent = calls.filter(({ servedFrom }) => servedFrom === 'LIVE' || servedFrom === 'SANDBOX').length;
  const files = findFiles(run.response.data);
  return (
    <div className="padron-summary" role="status">
      <UnStyledButton type="button" onClick={() => openPanel(texts.panels.money)}>
        <strong>{`${formatNumber(units?.spent ?? 0)} ${texts.money.spent(units?.spent ?? 0)}`}</strong>
        {units !== undefined && units.saved > 0 && `, ${formatNumber(units.saved)} ${texts.money.saved(units.saved)}`}
        {units !== undefined && units.uncertain > 0 && `, ${formatNumber(units.uncertain)} ${texts.money.uncertain}`}
        {left !== undefined && `, ${formatNumber(left)} ${texts.money.left(left)}`}
        {` · ${texts.calls(sent)}`}
        {replays > 0 && ` · ${texts.replays(replays)}`}
        {` · ${run.ms} ms`}
      </UnStyledButton>
      {files.length > 0 && (
        <UnStyledButton type="button" onClick={() => openPanel(texts.panels.files)}>
          {texts.documents(files.length)}
        </UnStyledButton>
      )}
    </div>
  );
}
