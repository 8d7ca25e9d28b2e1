/** A number of units with its name. */
export function Sum({ name, units }: { readonly name: string; readonly units: number }) {
  return (
    <div className={units === 0 ? 'padron-quiet' : undefined}>
      <dd>{units.toLocaleString()}</dd>
      <dt>{name}</dt>
    </div>
  );
}
