import type { TypeNode } from 'graphql';
import type { GuideEntry } from '../../server/explorer/settings';
import { texts } from '../language/texts';
import { type ActiveTab, parseObject } from '../tabs/active-tab';
import { findOperation } from '../tabs/operation';

/** Kind of identifier by the type of the variable that it fills. */
const identifierOfType: Readonly<Record<string, string>> = {
  NSS: 'nss',
  CURP: 'curp',
  RFC: 'rfc',
  EmployerRegistration: 'registration',
  LicenceNumber: 'number',
  CertificateFolio: 'folio',
};

/** Variables filled with a person's or employer's identifiers, and a message for the user. `variables` is null if nothing was filled in. */
export interface FilledVariables {
  readonly variables: string | null;
  readonly message: string;
}

/** Fills in the variables of the open operation whose types match the identifiers. Other variables do not change. */
export function fillVariables(tab: ActiveTab, identifiers: GuideEntry['identifiers']): FilledVariables {
  const values = parseObject(tab.variables);
  if (values === null) return { variables: null, message: texts.sandbox.unreadable };
  const definitions = findOperation(tab.query, tab.operationName)?.variableDefinitions ?? [];
  const filled = definitions.flatMap(({ variable, type }) => {
    const identifier = identifiers.find(({ name }) => name === identifierOfType[namedType(type)]);
    return identifier === undefined ? [] : [[variable.name.value, identifier.value] as const];
  });
  if (filled.length === 0) return { variables: null, message: texts.sandbox.noPlace };
  return {
    variables: JSON.stringify({ ...values, ...Object.fromEntries(filled) }, null, 2),
    message: texts.sandbox.filled(filled.map(([name, value]) => `${name} ${value}`)),
  };
}

function namedType(type: TypeNode): string {
  return type.kind === 'NamedType' ? type.name.value : namedType(type.type);
}
