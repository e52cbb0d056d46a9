// A test file has its own realm. Native code such as onnxruntime makes arrays of the process's realm, and checks for them.
import { runInThisContext } from 'node:vm';

globalThis.Float32Array = runInThisContext('Float32Array');
