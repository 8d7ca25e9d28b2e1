// Loaded by `node --require` before any other module: collects garbage ten times a second. A deadline to which only garbage refers never comes then.
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
setInterval(runInNewContext('gc'), 100).unref();
