import { endpoint } from '../../registry/endpoint';
import { amount, columns } from '../../registry/wire-values';

/** The interface speaks of a balance but gives no path: BALANCE_PATH says where, and without it nothing is asked. */
export const readBalance = endpoint({
  name: 'readBalance',
  registry: 'account',
  method: 'GET',
  path: '/api/balance',
  pathSetting: 'balancePath',
  carries: 'query',
  opens: 'record',
  units: 0,
  permission: null,
  batch: false,
  answers: columns({ balance: amount }),
  wire: () => ({}),
  arguments: {},
  // Every call changes it.
  staysGood: () => false,
});
