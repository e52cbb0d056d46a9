/** Change it with the model, its files or the embedded texts. Vectors of different embedders are never compared. */
export const embedderName = 'all-MiniLM-L6-v2-support-int8.2';

export const modelFolder = 'model';

/** The build copies `source` from the repository to `model/<name>` of the function. */
export const modelFiles = {
  model: {
    source: `${modelFolder}/model_quantized.onnx`,
    name: 'model_quantized.onnx',
    sha256: '29f34e17dff5e37605cd07509a25d5eb622dfae988d06781407e6e405e0d9325',
  },
  heads: {
    source: `${modelFolder}/pair-heads.json`,
    name: 'pair-heads.json',
    sha256: '5802e5d4614f16c3648e2c4dae3469ddc221ab3ac261c7009af626a48207211c',
  },
  tokenizer: {
    source: `${modelFolder}/tokenizer.json`,
    name: 'tokenizer.json',
    sha256: 'aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef',
  },
} as const;
