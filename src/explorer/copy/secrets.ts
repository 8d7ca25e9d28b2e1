import type { SandboxGuide } from '../../server/explorer/settings';

/** Tokens and passwords of the sandbox, which are not secret. */
export interface PublicValues {
  readonly tokens: ReadonlySet<string>;
  readonly passwords: ReadonlySet<string>;
}

export function findPublicValues(sandbox: SandboxGuide | null): PublicValues {
  return {
    tokens: new Set(sandbox?.tokens.map(({ token }) => token)),
    passwords: new Set(sandbox?.credentials.map(({ password }) => password)),
  };
}

/** A header without its secret. The reader appends the value of `secret` to `value`. */
export interface SafeHeader {
  readonly name: string;
  readonly value: string;
  readonly secret: string | null;
}

/** Headers whose values are not secret. */
const plainHeaders =
  /^(x-max-units|x-dry-run|x-sandbox|x-sandbox-delay|accept|accept-language|content-type|apollo-require-preflight)$/;

export function withoutSecretHeader(
  [given, content]: readonly [string, unknown],
  { tokens }: PublicValues,
): SafeHeader {
  const name = given.toLowerCase();
  const value = String(content);
  if (plainHeaders.test(name)) return { name, value, secret: null };
  if (name !== 'authorization') return { name, value: '', secret: name.toUpperCase().replace(/\W/g, '_') };
  const token = /^Bearer\s+(\S+)\s*$/i.exec(value)?.[1] ?? '';
  return tokens.has(token)
    ? { name, value: `Bearer ${token}`, secret: null }
    : { name, value: 'Bearer ', secret: 'TOKEN' };
}

/** Replaces passwords and file contents in variables by placeholders. */
export function withoutSecretValues(variables: unknown, { passwords }: PublicValues): unknown {
  return JSON.parse(
    JSON.stringify(variables, (name, value) => {
      const isSecret = name === 'base64' || (name === 'password' && !passwords.has(value));
      return isSecret && typeof value === 'string' && value !== '' ? `<${name}>` : value;
    }),
  );
}

/** Replaces passwords and file contents in a document by placeholders. */
export function withoutSecretLiterals(query: string): string {
  return query.replace(/\b(password|base64)(\s*:\s*)("""[\s\S]*?"""|"(?:\\.|[^"\\\n])*")/g, '$1$2"<$1>"');
}
