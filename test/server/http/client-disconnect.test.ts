import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SANDBOX_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { handMade, inSeconds } from '../../support/keys/identity-provider';
import { type RunningPadron, runPadron } from '../../support/padrons/padron';
import { KEY_SET } from '../../support/padrons/settings';
import { type RunningServer, startServer } from '../../support/start-server';

describe('callers that disconnect during authentication', () => {
  let keys: RunningServer;
  let padron: RunningPadron;
  beforeAll(async () => {
    keys = await startServer((_request, response) => void setTimeout(() => response.end('{"keys":[]}'), 400));
    const environment = {
      REGISTRY_TOKEN: SANDBOX_TOKEN,
      ...KEY_SET,
      JWT_JWKS_URL: `${keys.url}/keys`,
      LIMIT_REQUESTS: '2',
    };
    padron = await runPadron({ environment });
  });
  afterAll(async () => {
    await padron.stop();
    await keys.close();
  });

  it('do not count as running requests', async () => {
    const token = handMade({ alg: 'RS256', kid: 'nobody' }, { exp: inSeconds(60) }, 'AAAA');
    const { hostname, port } = new URL(padron.url);
    const leaving = Array.from({ length: 4 }, async () => {
      const socket = connect(Number(port), hostname);
      socket.write(
        `GET /graphql?query=%7B__typename%7D HTTP/1.1\r\nhost: x\r\napollo-require-preflight: 1\r\nauthorization: Bearer ${token}\r\n\r\n`,
      );
      await sleep(100);
      socket.destroy();
    });
    await Promise.all(leaving);
    await sleep(800);
    expect((await padron.ask('{ registryEndpoints { units } }')).status).toBe(200);
  });
});
