import { useReactiveVar } from '@apollo/client/react';
import { useRef, useState } from 'react';
import type { CheckPersonQueryVariables } from './generated/graphql';
import { IdentifierForm } from './identifier-form';
import { unitsSpent } from './padron';
import { PriceList } from './price-list';
import { Report } from './report';
import { formatUnits } from './texts';
import { usePrice } from './use-price';

const nssLength = 11;
const curpLength = 18;

/** Returns the person to check. Returns null if there is no identifier, or if one is incomplete. */
function toPerson(nss: string, curp: string): CheckPersonQueryVariables | null {
  const digits = nss.replace(/[\s-]/g, '');
  const code = curp.replace(/[\s-]/g, '');
  const isComplete = [0, nssLength].includes(digits.length) && [0, curpLength].includes(code.length);
  if (!isComplete || digits + code === '') return null;
  return { nss: digits || null, curp: code || null };
}

export function App() {
  const [nss, setNss] = useState('');
  const [curp, setCurp] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const nssField = useRef<HTMLInputElement>(null);
  const { spent, uncertain } = useReactiveVar(unitsSpent);
  const person = toPerson(nss, curp);
  const { estimate, hasFailed } = usePrice(person);

  // A result is about what was typed, so an edit ends it.
  const edit = (nextNss: string, nextCurp: string) => {
    setNss(nextNss);
    setCurp(nextCurp);
    setIsChecked(false);
  };
  const startAgain = () => {
    edit('', '');
    window.scrollTo(0, 0);
    // The button that had the focus is gone.
    nssField.current?.focus({ preventScroll: true });
  };

  return (
    <>
      <header className="bar">
        <div className="bar-content">
          <span className="brand">
            <img src="/nopal.svg" alt="" width="28" height="28" />
            Nopal
          </span>
          <span className="spent">Gastado: {formatUnits(spent + uncertain)}</span>
        </div>
      </header>
      <main>
        <section>
          <h1>Consulte los datos de su cliente</h1>
          <p className="lead">Escriba su NSS o su CURP. Con los dos, también revisamos que sean de la misma persona.</p>
          <IdentifierForm
            nss={nss}
            curp={curp}
            nssField={nssField}
            onNss={(text) => edit(text, curp)}
            onCurp={(text) => edit(nss, text)}
            estimate={estimate}
            hasFailed={hasFailed}
            isChecked={isChecked}
            onCheck={() => setIsChecked(true)}
          />
        </section>
        {isChecked && person !== null ? (
          <Report variables={person} onStartAgain={startAgain} />
        ) : (
          <PriceList estimate={estimate} />
        )}
      </main>
      <footer>Página de ejemplo. Las personas del ambiente de pruebas son inventadas.</footer>
    </>
  );
}
