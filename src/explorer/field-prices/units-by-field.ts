import { type Headers, send } from '../requests/request';

const query = '{ registryEndpoints { units fields } }';

interface Priced {
  readonly registryEndpoints?: readonly { readonly units: number; readonly fields: readonly string[] }[] | null;
}

/** What one call of each paid field costs (`Person.credit`), as the graph tells it for free. Empty where it does not tell this caller. */
export async function fetchUnitsByField(headers: Headers, signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
  const { data } = await send({ query }, headers, { signal });
  const endpoints = (data as Priced | null | undefined)?.registryEndpoints ?? [];
  return new Map(endpoints.flatMap(({ units, fields }) => fields.map((field) => [field, units] as const)));
}
