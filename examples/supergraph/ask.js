/** Sends an operation of operations.graphql to the gateway: node ask.js OPERATION */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { urlOf } from './ports.js';

const fileNames = ['certificate.cer', 'private_key.key'];
const variables = {
  Jobs: { nss: '15725300436' },
  Price: {
    operation: 'query ($nss: NSS!) { person(nss: $nss) { credit { outcome } licences { outcome } } }',
    variables: { nss: '04159600263' },
  },
  Year: { registration: 'F9110000100' },
  Signature: {
    input: {
      rfc: 'SOVM850314T49',
      password: 'Padron2026',
      // Without the files the input does not fit its type.
      ...(fileNames.every(existsSync) && { certificate: { upload: null }, privateKey: { upload: null } }),
    },
  },
};

/** Returns the body of a GraphQL multipart request: the operation, the places of the files in its variables, and the files. */
function toForm(operation) {
  const form = new FormData();
  form.set('operations', JSON.stringify(operation));
  form.set(
    'map',
    JSON.stringify({ 0: ['variables.input.certificate.upload'], 1: ['variables.input.privateKey.upload'] }),
  );
  fileNames.forEach((name, index) => {
    form.set(String(index), new Blob([readFileSync(name)]), name);
  });
  return form;
}

const [operationName = 'Staff'] = process.argv.slice(2);
const query = readFileSync(new URL('operations.graphql', import.meta.url), 'utf8');
const operation = { query, operationName, variables: variables[operationName] };
const isUpload = operation.variables?.input?.certificate !== undefined;
const response = await fetch(urlOf('gateway'), {
  method: 'POST',
  headers: {
    authorization: 'Bearer sandbox-token',
    'x-max-units': process.env.MAX_UNITS ?? '10',
    // A router that makes no operation ID limits the requests of this operation by its trace.
    traceparent: `00-${randomUUID().replaceAll('-', '')}-00f067aa0ba902b7-01`,
    ...(!isUpload && { 'content-type': 'application/json' }),
  },
  body: isUpload ? toForm(operation) : JSON.stringify(operation),
});
const { data = null, errors } = await response.json();
process.stdout.write(`${JSON.stringify({ data, errors }, null, 2)}\n`);
