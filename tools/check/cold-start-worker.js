import Module from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

// Runs in a worker with exactly the variables of one function: loads its bundle and reports the variables that were read.

const read = new Set();
process.env = new Proxy(process.env, {
  get: (variables, name) => {
    if (typeof name === 'string') read.add(name);
    return Reflect.get(variables, name);
  },
});

// The binaries of the embedding runtime are for Lambda's processor, which may differ from this machine's.
const load = Module._load;
const anything = new Proxy(() => anything, { get: (_target, name) => (name === 'then' ? undefined : anything) });
Module._load = (id, ...rest) => (id.endsWith('onnxruntime_binding.node') ? anything : load(id, ...rest));

let error;
try {
  await import(workerData);
} catch (thrown) {
  error = String(thrown?.message ?? thrown);
}
parentPort.postMessage({ read: [...read], error });
// Clients that the function opened would keep the worker alive.
process.exit();
