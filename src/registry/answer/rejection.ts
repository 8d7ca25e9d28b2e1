import type { AnyEndpoint } from '../endpoint/endpoint';
import type { HttpResponse } from '../transport/transport';
import { type Body, bodyStatus, type EnvelopeMeta, isObject, portalCode, readBody } from './body';
import { type Problem, problem } from './problem';

/** Returns a problem for each rejected parameter, with the service's message and the path of the graph's argument. */
export function fieldProblems(endpoint: AnyEndpoint, body: Body, meta: EnvelopeMeta): readonly Problem[] {
  const code = portalCode(body) === 'IMSS_INCONSISTENT_DATA' ? 'IMSS_INCONSISTENT_DATA' : 'REJECTED_BY_REGISTRY';
  const errors = fieldErrors(body);
  const problems = Object.entries(errors).map(([parameter, messages]) => {
    const path = Object.hasOwn(endpoint.argumentPaths, parameter) ? endpoint.argumentPaths[parameter] : undefined;
    const message = messages.join(' ') || meta.message;
    return problem(code, { ...(message === null ? {} : { message }), ...(path === undefined ? {} : { path }) });
  });
  if (problems.length > 0) return problems;
  return [problem(code, meta.message === null ? {} : { message: meta.message })];
}

/** Returns the field errors from their two documented places: `data.errors` (400) and `errors` (422). */
function fieldErrors(body: Body): Readonly<Record<string, readonly string[]>> {
  const data = isObject(body.data) ? body.data.errors : undefined;
  const errors = isObject(data) ? data : body.errors;
  if (!isObject(errors)) return {};
  return Object.fromEntries(
    Object.entries(errors).map(([parameter, messages]) => [
      parameter,
      (Array.isArray(messages) ? messages : [messages]).filter((message) => typeof message === 'string'),
    ]),
  );
}

/**
 * Whether a refusal certainly comes from the service, and not from a firewall or a proxy: its body is an error envelope with a message,
 * a 422 that names fields, or a 403 that says that the user lacks a permission.
 */
export function isServiceRefusal({ status, body: bytes }: HttpResponse): boolean {
  const body = readBody(bytes);
  if (body === null || (bodyStatus(body) ?? status) !== status) return false;
  if (status === 403 && typeof body.message === 'string' && deniesUser.test(body.message)) return true;
  if (body.ok === false) return isObject(body.error) && typeof body.error.message === 'string';
  return typeof body.message === 'string' && (body.success === false || (status === 422 && namesFields(body)));
}

/** Matches the message of Laravel for a user without a permission. A firewall or a proxy does not mention the user. */
const deniesUser = /\b(?:user|account|usuario|cuenta)\b.*\b(?:rights?|permissions?|permisos?)\b/i;

const namesFields = (body: Body): boolean => Object.values(fieldErrors(body)).some((messages) => messages.length > 0);

/**
 * Whether a refusal means that the service found the data invalid: 400, `success: false` and `data.errors`. A 422 names
 * missing parameters, and another 400 means that the service did not understand the request.
 */
export function failsValidation(status: number, body: Body): boolean {
  if (status !== 400 || bodyStatus(body) !== 400 || body.success !== false || !isObject(body.data)) return false;
  return isObject(body.data.errors) && namesFields(body);
}
