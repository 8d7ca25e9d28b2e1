import { endpoint } from '../../registry/endpoint/endpoint';
import { amount, columns } from '../../registry/endpoint/wire-schema';

/** The interface speaks of a balance but gives no path: BALANCE_PATH says where, and without it nothing is asked. */
export const readBalance = endpoint({
  name: 'readBalance',
  registry: 'account',
  method: 'GET',
  path: '/api/balance',
  pathSetting: 'balancePath',
  encoding: 'query',
  envelope: 'record',
  units: 0,
  permission: null,
  scope: 'padron_read_balance',
  batch: false,
  schema: columns({ balance: amount }),
  toWire: () => ({}),
  argumentPaths: {},
  // Every call changes it.
  isFresh: () => false,
});
