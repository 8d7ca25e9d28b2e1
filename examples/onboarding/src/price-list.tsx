import type { Estimate } from 'padron-client/units';
import { type Registry, registries } from './registries';
import { RegistryRow } from './registry-row';
import { formatUnits } from './texts';

/** What each registry will cost, before the user decides. */
export function PriceList({ estimate }: { readonly estimate: Estimate | null }) {
  return (
    <section>
      <div className="section-head">
        <h2>Qué se va a consultar</h2>
      </div>
      <div className="card">
        {registries.map((registry) => (
          <RegistryRow key={registry.field} registry={registry} aside={estimate && priceOf(registry, estimate)} />
        ))}
      </div>
    </section>
  );
}

function priceOf({ route }: Registry, { endpoints }: Estimate) {
  const endpoint = endpoints.find((priced) => priced.route === route);
  return <span className="units">{endpoint ? formatUnits(endpoint.subtotal) : 'No se consulta'}</span>;
}
