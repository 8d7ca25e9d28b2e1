import { isPending, isTrusted } from 'padron-client';
import { textOfProblem } from 'padron-client/texts';
import type { Person, Registry } from './registries';
import { RegistryRow } from './registry-row';
import { formatTime, type StatusText, textOfOutcome } from './texts';

interface AnswerProps {
  readonly registry: Registry;
  /** Null until the first answers arrive. */
  readonly person: Person | null;
}

/** The answer of one registry, with the code that proves it. */
export function Answer({ registry, person }: AnswerProps) {
  const lookup = person?.[registry.field];
  if (!person || !lookup || isPending(lookup))
    return <RegistryRow registry={registry} aside={<Status label="En curso" tone="waiting" />} />;

  const { outcome, evidence, problems } = lookup;
  const isConflicting = person.consistency?.status === 'CONFLICTING';
  const isDoubtful = outcome === 'FOUND' && (isConflicting || !isTrusted(lookup));
  const status: StatusText = isDoubtful ? { label: 'Por revisar', tone: 'bad' } : textOfOutcome(outcome);
  // Any other problem is a consequence of the first one.
  const [problem] = problems;
  const facts = isDoubtful ? [] : registry.factsOf(person).filter(({ value }) => value);

  return (
    <RegistryRow registry={registry} aside={<Status {...status} />}>
      {problem && !isConflicting && <p className="explanation">{textOfProblem(problem, 'es')}</p>}
      {facts.length > 0 && (
        <dl>
          {facts.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {evidence.validationCode && evidence.checkedAt && (
        <p className="proof">
          <span>
            Código de validación <code>{evidence.validationCode}</code>
          </span>
          <span>{formatTime(evidence.checkedAt)}</span>
        </p>
      )}
    </RegistryRow>
  );
}

function Status({ label, tone }: StatusText) {
  return <span className={`status ${tone}`}>{label}</span>;
}
