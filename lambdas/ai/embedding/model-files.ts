// The one place that names the embedding model: its name, the files, where the build takes them from, and their hashes.

/** Changes with the model, its files and the texts given to it; vectors of different embedders are never compared. */
export const embedderName = 'all-MiniLM-L6-v2-support-int8.1';

export const modelFolder = 'model';

/** `source` is the path in the repository at build time; functions find the file as `model/<name>`. */
export const modelFiles = {
  model: {
    source: `${modelFolder}/model_quantized.onnx`,
    name: 'model_quantized.onnx',
    sha256: '6a8a0400cbda9ff58073b31c1eff7ca3162a674b53e78be63871ee6cb8e70696',
  },
  tokenizer: {
    source: `${modelFolder}/tokenizer.json`,
    name: 'tokenizer.json',
    sha256: 'aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef',
  },
} as const;
