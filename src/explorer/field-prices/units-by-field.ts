import { type Headers, send } from '../requests/request';

const query = '{ registryEndpoints { units fields } }';

interface Priced {
  readonly registryEndpoints?: readonly { readonly units: number; readonly fields: readonly string[] }[] | null;
}

/** Fetches the price of each paid field such as `Person.credit`, which is free. Returns an empty map if the request fails. */
export async function fetchUnitsByField(headers: Headers, signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
  const { data } = await send({ query }, headers, { signal });
  const endpoints = (data as Priced | null | undefined)?.registryEndpoints ?? [];
  return new Map(endpoints.flatMap(({ units, fields }) => fields.map((field) => [field, units] as const)));
}
