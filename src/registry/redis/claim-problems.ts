import { type Problem, problem } from '../answer/problem';

/** Returns the problem of a question that waited for another instance's call until its own deadline. */
export function peerTimeout(): Problem {
  return problem('REGISTRY_TIMEOUT', {
    message: 'Not sent: another instance of this server is sending the same question, and has no answer in time.',
    spanish:
      'No se consultó: otra instancia de este servidor está consultando lo mismo y no ha recibido respuesta a tiempo.',
  });
}

/** Returns the problem of a question whose three senders died, one after another. It is not sent again for a minute. */
export function poisonedQuestion(remainingMs: number): Problem {
  return problem('REGISTRY_PAUSED', {
    retryAfter: Math.max(1, Math.ceil(remainingMs / 1_000)),
    message: 'Not sent: three instances of this server died, one after another, while they sent this question.',
    spanish: 'No se consultó: tres instancias de este servidor murieron, una tras otra, mientras consultaban esto.',
  });
}
