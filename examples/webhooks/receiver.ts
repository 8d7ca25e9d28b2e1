import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';

const secret = Buffer.from((process.env.WEBHOOK_SECRET ?? '').replace('whsec_', ''), 'base64');
if (secret.length < 24) throw new Error('Set WEBHOOK_SECRET.');

function isFromPadron(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest();
  return String(signatures)
    .split(' ')
    .some((signature) => {
      const received = Buffer.from(signature.replace('v1,', ''), 'base64');
      return received.length === expected.length && timingSafeEqual(received, expected);
    });
}

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const isValid = isFromPadron(request.headers, body);
    if (isValid) process.stdout.write(`${request.headers['webhook-id']} ${body.toString()}\n`);
    response.writeHead(isValid ? 204 : 400).end();
  });
}).listen(Number(process.env.PORT));
