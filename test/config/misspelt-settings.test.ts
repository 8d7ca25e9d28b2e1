import { faultsOf, settings } from '../support/padrons/settings';
import { misspeltSettings } from '../support/padrons/whole-padron';

describe('a variable whose name resembles a setting', () => {
  it.each([
    ['MAX_UNIT', 'MAX_UNITS'],
    ['MAX_UNTIS', 'MAX_UNITS'],
    ['max_units', 'MAX_UNITS'],
    ['Port', 'PORT'],
    ['REGISTRY_TOKN', 'REGISTRY_TOKEN'],
    ['REGISTERY_TOKEN', 'REGISTRY_TOKEN'],
    ['JWT_AUDIENCES', 'JWT_AUDIENCE'],
    ['JWT_JWK_URL', 'JWT_JWKS_URL'],
    ['SUBGRAPH_SECRETS', 'SUBGRAPH_SECRET'],
    ['LIMIT_ALIAS', 'LIMIT_ALIASES'],
    ['REPLAY_SECOND', 'REPLAY_SECONDS'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['LOGLEVEL', 'LOG_LEVEL'],
  ])('is reported with the setting: %s', (name, nearest) => {
    expect(misspeltSettings({ [name]: '3' })).toEqual([{ name, nearest }]);
  });

  it.each([
    ...['PATH', 'HOME', 'PWD', 'POST', 'PORTS', 'HOSTS', 'HOSTNAME', 'LOGNAME', 'LANG', 'NODE_ENV', 'NODE_OPTIONS'],
    ...['PADRON_PORT', 'PADRON_SERVICE_HOST', 'REGISTRY_PORT', 'REGISTRY_SERVICE_PORT', 'REGISTRY_PASSWORD'],
    ...['npm_config_registry', 'npm_package_version', 'JWT_SECRET_KEY', 'DATABASE_URL', 'OTEL_LOG_LEVEL', '_'],
  ])('is not reported if it belongs to another program: %s', (name) => {
    expect(misspeltSettings({ [name]: '3' })).toEqual([]);
  });

  it('is not reported if it is a setting or empty', () => {
    const environment = Object.fromEntries(settings.map(([name, value]) => [name, value]));
    expect(misspeltSettings({ ...environment, MAX_UNIT: ' ' })).toEqual([]);
  });

  it('is reported with the error that it causes', () => {
    expect(faultsOf({ HOST: '0.0.0.0', REGISTRY_TOKEN: 'x', SUBGRAPH_SECRT: 'y'.repeat(20) })).toEqual([
      expect.stringMatching(/^REGISTRY_TOKEN would let anyone/),
      'SUBGRAPH_SECRT is not a setting. Did you mean SUBGRAPH_SECRET?',
    ]);
  });
});
