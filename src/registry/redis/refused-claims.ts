import { type Problem, problem } from '../answer/problem';

/** Another instance's call took longer than a call may. */
export function lateCall(): Problem {
  return problem('REGISTRY_TIMEOUT', {
    message: 'No call was made: another instance of this server is making it, and got no answer in time.',
    spanish:
      'No se consultó: otra instancia de este servidor está consultando esto y no ha recibido respuesta a tiempo.',
  });
}

/** Its askers died with it. */
export function deadlyQuestion(remainingMs: number): Problem {
  return problem('REGISTRY_PAUSED', {
    retryAfter: Math.max(1, Math.ceil(remainingMs / 1_000)),
    message: 'No call was made: three instances of this server ended during this call, one after another.',
    spanish: 'No se consultó: tres instancias de este servidor terminaron durante esta consulta, una tras otra.',
  });
}
