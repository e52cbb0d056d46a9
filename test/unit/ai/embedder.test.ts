import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createDeployedEncoder, loadEncoder } from '../../../lambdas/ai/embedding/embedder.ts';
import { modelFiles } from '../../../lambdas/ai/embedding/model-files.ts';
import { cosine } from '../../../lambdas/ai/embedding/vector.ts';
import { requireValue } from '../../../lambdas/platform/require-value.ts';
import { embedTexts } from '../../support/embedded.ts';
import recordedVectors from './recorded-vectors.json' with { type: 'json' };

const parts = ['model', 'tokenizer', 'heads'] as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'model-'));
  for (const { source, name } of Object.values(modelFiles)) symlinkSync(resolve(source), join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('loadEncoder', () => {
  it.each(parts)('rejects a different %s than this release requires', async (part) => {
    const file = join(folder, modelFiles[part].name);
    rmSync(file);
    cpSync(resolve(modelFiles[part].source), file);
    appendFileSync(file, ' ');
    await expect(loadEncoder(folder)).rejects.toThrow(`${modelFiles[part].name} is not the file`);
  });

  // Recorded on x64. Integer kernels differ between processors; a reduced weight range keeps the difference small.
  it('returns the recorded vectors on every processor', () => {
    const texts = Object.keys(recordedVectors);
    const vectors = embedTexts(texts);
    for (const [place, recorded] of Object.values(recordedVectors).entries()) {
      const bytes = new Uint8Array(Buffer.from(recorded, 'base64'));
      expect(cosine(vectors[place] as Float32Array, new Float32Array(bytes.buffer))).toBeGreaterThan(0.99);
    }
  });

  it('reads at most 256 tokens of a text', () => {
    // With the marks of beginning and end, 254 words fit.
    const texts = [253, 254].flatMap((words) =>
      ['database', 'mailbox'].map((last) => `${'printer '.repeat(words)}${last}`),
    );
    const [one, other, same, again] = embedTexts(texts);
    expect(cosine(requireValue(one), requireValue(other))).toBeLessThan(0.99999);
    expect(cosine(requireValue(same), requireValue(again))).toBeCloseTo(1, 5);
  });
});

describe('deployed embedder', () => {
  it('loads the model again after a failure', async () => {
    const before = process.env.LAMBDA_TASK_ROOT;
    process.env.LAMBDA_TASK_ROOT = folder;
    try {
      const { embed } = createDeployedEncoder();
      await expect(embed('printer')).rejects.toThrow('ENOENT');
      mkdirSync(join(folder, 'model'));
      for (const { name } of Object.values(modelFiles)) writeFileSync(join(folder, 'model', name), 'another file');
      await expect(embed('printer')).rejects.toThrow('is not the file');
    } finally {
      if (before === undefined) delete process.env.LAMBDA_TASK_ROOT;
      else process.env.LAMBDA_TASK_ROOT = before;
    }
  });
});
