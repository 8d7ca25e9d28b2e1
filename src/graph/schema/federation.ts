import { type DocumentNode, parse } from 'graphql';

/**
 * Returns what the federation specification adds to a subgraph: the directives that padron's schema uses, with their types,
 * and the two fields by which a router reads the schema and resolves entities. The SDL that routers read does not contain
 * them, because a composer supplies its own.
 */
export function federationDefinitions(entities: readonly string[]): DocumentNode {
  return parse(`
    directive @link(url: String!, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA
    directive @key(fields: federation__FieldSet!, resolvable: Boolean = true) repeatable on OBJECT | INTERFACE
    directive @cost(weight: Int!) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR
    directive @requiresScopes(scopes: [[federation__Scope!]!]!) on FIELD_DEFINITION | OBJECT | INTERFACE | SCALAR | ENUM

    enum link__Purpose { SECURITY EXECUTION }
    scalar link__Import
    scalar federation__FieldSet
    scalar federation__Scope

    scalar _Any
    union _Entity = ${entities.join(' | ')}
    type _Service { sdl: String }
    extend type Query {
      _entities(representations: [_Any!]!): [_Entity]!
      _service: _Service!
    }
  `);
}
