import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { loadEnvFile, readConfig } from '../config/config';
import { connectTo, signEvent } from '../money/ledger/events/event-sender';
import { type EventType, eventExamples } from '../money/ledger/events/event-store';
import type { Extension } from '../server/extension';
import { type CommandEnvironment, exitCodes, parseOptions, type Report, UsageError } from '../terminal/command';
import { RequestFailedError } from '../terminal/graph-client';
import { times } from '../times';

/** Limits of the answer that is printed. */
const maxLines = 10;
const maxCharacters = 2_000;

export async function trigger(
  args: readonly string[],
  environment: CommandEnvironment,
  extensions: readonly Extension[],
): Promise<Report> {
  const [type, ...surplus] = parseOptions(args, {}, true).positionals;
  const types = Object.keys(eventExamples);
  if (type === undefined) return { text: `${types.join('\n')}\n`, isData: false, code: exitCodes.done };
  if (!isType(type) || surplus.length > 0) throw new UsageError(`Name one type of event: ${types.join(', ')}.`);
  const webhook = readWebhook(environment, extensions);
  const { host } = new URL(webhook.url);
  const event = { id: `evt_${randomUUID().replaceAll('-', '')}`, type, at: new Date(), data: eventExamples[type] };
  const signed = signEvent(webhook, { ...event, test: true }, event.at);
  const signal = AbortSignal.timeout(times.eventAnswer);
  const started = performance.now();
  const { statusCode, body } = await request(webhook.url, { ...signed, signal, dispatcher: connectTo(webhook) }).catch(
    (error: NodeJS.ErrnoException) => {
      const reason = typeof error.code === 'string' ? error.code : error.name;
      throw new RequestFailedError(
        `${host} sent no answer (${reason}). Check WEBHOOK_URL, the network and the receiver.`,
      );
    },
  );
  const answer = `HTTP ${statusCode} after ${Math.round(performance.now() - started)} ms`;
  const lines = (await readStart(body)).trim().split(/\r?\n/).slice(0, maxLines);
  const isAccepted = statusCode >= 200 && statusCode < 300;
  const advice = isAccepted
    ? 'The receiver accepts events.'
    : 'The receiver must answer with 2xx. Check the path of WEBHOOK_URL, the secret and the clock of the receiver, and its log. padron follows no redirects.';
  const text = [`Sent to ${host} as ${event.id}: ${signed.body}`, answer, ...lines.filter(Boolean), advice].join('\n');
  return { text: `${text}\n`, isData: false, code: isAccepted ? exitCodes.done : exitCodes.checkFailed };
}

async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  try {
    for await (const chunk of body) {
      text += chunk.toString();
      if (text.length >= maxCharacters) break;
    }
  } catch {
    // The receiver has answered with its status.
  }
  return text.slice(0, maxCharacters);
}

const isType = (text: string): text is EventType => Object.hasOwn(eventExamples, text);

function readWebhook(environment: CommandEnvironment, extensions: readonly Extension[]) {
  loadEnvFile();
  const { webhook } = readConfig(environment, extensions).data;
  if (webhook !== null) return webhook;
  throw new UsageError('WEBHOOK_URL is not set. Set WEBHOOK_URL and WEBHOOK_SECRET as for the server.');
}
