import { type Problem, problem } from '../answer/problem';

/** Another instance's call took longer than a call may. */
export function lateCall(): Problem {
  return problem('REGISTRY_TIMEOUT', {
    message: 'Not asked: another instance of this server is asking this, and has not been answered in time.',
    spanish:
      'No se consultó: otra instancia de este servidor está consultando esto y no ha recibido respuesta a tiempo.',
  });
}

/** Its askers died with it. */
export function deadlyQuestion(remainingMs: number): Problem {
  return problem('REGISTRY_PAUSED', {
    retryAfter: Math.max(1, Math.ceil(remainingMs / 1_000)),
    message: 'Not asked: three instances of this server died while they asked this, one after another.',
    spanish: 'No se consultó: tres instancias de este servidor murieron mientras consultaban esto, una tras otra.',
  });
}
