import { amount, columns, endpoint } from '../../../registry/endpoint/endpoint';

/** The interface mentions a balance but no path, so the operator sets it with BALANCE_PATH. Without it no call is made. */
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
  matches: 'NAMES_NOBODY',
  // Every paid call changes the balance.
  isFresh: () => false,
});
