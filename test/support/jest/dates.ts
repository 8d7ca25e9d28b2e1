import { types } from 'node:util';

/**
 * Makes a date that Node itself has created, such as one from the thread of an embedded store, an instance of `Date`. jest has other classes in
 * the realm of each file of tests.
 */
Object.defineProperty(Date, Symbol.hasInstance, { value: types.isDate });
