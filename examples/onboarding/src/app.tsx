import { useReactiveVar } from '@apollo/client/react';
import { useState } from 'react';
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
  const spent = useReactiveVar(unitsSpent);
  const person = toPerson(nss, curp);
  const { estimate, hasFailed } = usePrice(person);

  const startAgain = () => {
    setNss('');
    setCurp('');
    setIsChecked(false);
    window.scrollTo(0, 0);
  };

  return (
    <>
      <header className="bar">
        <div className="bar-content">
          <span className="brand">
            <img src="/nopal.svg" alt="" width="28" height="28" />
            Nopal
          </span>
          <span className="spent">Gasto máximo: {formatUnits(spent)}</span>
        </div>
      </header>
      <main>
        <section>
          <h1>Verifique la identidad de su cliente</h1>
          <p className="lead">
            Basta con su NSS o su CURP. Con los dos, también revisamos que sean de la misma persona.
          </p>
          <IdentifierForm
            nss={nss}
            curp={curp}
            onNss={setNss}
            onCurp={setCurp}
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
