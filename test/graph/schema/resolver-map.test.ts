import { graphqlSync, isObjectType } from 'graphql';
import { buildGraph } from '../../support/padrons/whole-padron';

const { schema, catalogue } = buildGraph();

/** Coordinates of the fields that a function answers. */
const resolved = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .filter(({ name }) => !name.startsWith('__'))
  .flatMap((type) =>
    Object.values(type.getFields())
      .filter(({ resolve }) => resolve !== undefined)
      .map(({ name }) => `${type.name}.${name}`),
  );

describe('the fields of the graph', () => {
  it('are properties that graphql-js reads, except for the methods of the resolver classes', () => {
    const asking = catalogue.flatMap(({ fields }) => fields);
    const free = [
      'Query.person',
      'Query.employer',
      'Query.registryEndpoints',
      'Query.registryUnitPrice',
      'Query.unitEstimate',
      'Person.consistency',
    ];
    const ledger = [
      ...[
        'registryLedger',
        'registrySpend',
        'registryProofs',
        'registryProofDocument',
        'registryBudgets',
        'registryAudit',
        'registryEvents',
        'registryOperation',
      ].map((name) => `Query.${name}`),
      ...['settleRegistryBilling', 'eraseRegistrySubject', 'resendRegistryEvent', 'endRegistryOperation'].map(
        (name) => `Mutation.${name}`,
      ),
      ...['setRegistryBudget', 'removeRegistryBudget'].map((name) => `Mutation.${name}`),
    ];
    const computed = [
      'RegistryAvailability.lastDay',
      ...['amount', 'uncertainAmount', 'savedAmount'].map((name) => `RegistrySpend.${name}`),
      ...['amount', 'spentAmount', 'uncertainAmount', 'leftAmount'].map((name) => `RegistryBudget.${name}`),
      ...['amount', 'problem', 'uncertainAmount', 'savedAmount'].map((name) => `RegistryLedgerEntry.${name}`),
    ];
    const batches = [
      ...['registryBatch', 'registryBatches'].map((name) => `Query.${name}`),
      ...['create', 'start', 'pause', 'resume', 'cancel', 'retry', 'erase'].map(
        (name) => `Mutation.${name}RegistryBatch`,
      ),
      ...[
        'barredEndpoints',
        'csvUrl',
        'estimate',
        'jsonlUrl',
        'refusedRows',
        'rows',
        'startProblem',
        'uploadUrl',
        'xlsxUrl',
      ].map((name) => `RegistryBatch.${name}`),
    ];
    const files = ['cfdi', 'cfdiProblem', 'content', 'contentProblem'].map((name) => `RegistryFile.${name}`);
    const federation = ['Query._entities', 'Query._service'];
    // In the language of the request.
    const worded = ['RegistryProblem.message'];
    expect([...resolved].sort()).toEqual(
      [...asking, ...free, ...ledger, ...computed, ...batches, ...files, ...worded, ...federation].sort(),
    );
  });

  it('are resolved synchronously if no call is made, without a promise between an argument and its method', () => {
    const source = '{ person(nss: "1-2", curp: null, name: { names: "A", paternalSurname: "B" }) { nss curp } }';
    expect(graphqlSync({ schema, source })).toEqual({ data: { person: { nss: '12', curp: null } } });
  });
});
