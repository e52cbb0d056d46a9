/** Change it with the model, its files or the embedded texts. Vectors of different embedders are never compared. */
export const embedderName = 'all-MiniLM-L6-v2-support-int8.1';

export const modelFolder = 'model';

/** The build copies `source` from the repository to `model/<name>` of the function. */
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
