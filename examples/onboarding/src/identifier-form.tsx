import { textOfProblem } from 'padron-client/texts';
import type { Estimate } from 'padron-client/units';
import { type FormEvent, type Ref, useId } from 'react';
import { formatPesos, formatUnits } from './texts';

interface IdentifierFormProps {
  readonly nss: string;
  readonly curp: string;
  readonly nssField: Ref<HTMLInputElement>;
  readonly onNss: (nss: string) => void;
  readonly onCurp: (curp: string) => void;
  readonly estimate: Estimate | null;
  readonly hasFailed: boolean;
  readonly isChecked: boolean;
  readonly onCheck: () => void;
}

export function IdentifierForm(props: IdentifierFormProps) {
  const { nss, curp, nssField, onNss, onCurp, estimate, hasFailed, isChecked, onCheck } = props;
  const nssProblem = problemOf(estimate, 'nss');
  const curpProblem = problemOf(estimate, 'curp');
  const isCorrect = nssProblem === null && curpProblem === null;
  const canCheck = !isChecked && isCorrect && estimate !== null && estimate.estimatedUnits > 0;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canCheck) onCheck();
  };

  return (
    <form className="card form" onSubmit={submit}>
      <Field
        ref={nssField}
        label="NSS"
        length="11 dígitos"
        example="04159600263"
        inputMode="numeric"
        value={nss}
        onChange={onNss}
        problem={nssProblem}
      />
      <Field
        label="CURP"
        length="18 caracteres"
        example="GUMU960419HSRTRR06"
        inputMode="text"
        value={curp}
        onChange={(text) => onCurp(text.toUpperCase())}
        problem={curpProblem}
      />
      <div className="price" aria-live="polite">
        <span>Costo de la consulta</span>
        <output>
          <strong>{estimate === null ? '—' : formatUnits(estimate.estimatedUnits)}</strong>
          {estimate?.amount && <small>{formatPesos(estimate.amount)} MXN</small>}
        </output>
      </div>
      {hasFailed && (
        <p className="problem" role="alert">
          No se pudo calcular el costo. Revise su conexión y vuelva a escribir el dato.
        </p>
      )}
      <button type="submit" disabled={!canCheck}>
        Consultar
      </button>
      <p className="note">Calcular el costo es gratis. Un dato mal escrito no se consulta ni se cobra.</p>
    </form>
  );
}

/** Returns the text about a mistyped identifier. An identifier that was left empty is no mistake. */
function problemOf(estimate: Estimate | null, field: string): string | null {
  const problem = estimate?.problems.find(({ code, path }) => path?.[0] === field && code !== 'MISSING_IDENTIFIER');
  return problem === undefined ? null : textOfProblem(problem, 'es');
}

interface FieldProps {
  readonly ref?: Ref<HTMLInputElement>;
  readonly label: string;
  readonly length: string;
  readonly example: string;
  readonly inputMode: 'numeric' | 'text';
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly problem: string | null;
}

function Field({ ref, label, length, example, inputMode, value, onChange, problem }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>
        {label} <small>{length}</small>
      </label>
      <input
        ref={ref}
        id={id}
        value={value}
        inputMode={inputMode}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={`${id}-hint`} className={problem === null ? 'hint' : 'problem'} aria-live="polite">
        {problem ?? `Por ejemplo ${example}`}
      </p>
    </div>
  );
}
