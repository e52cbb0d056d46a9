import { readFileSync } from 'node:fs';
import wabt from 'wabt';
import { vectorScanModule } from '../../../lambdas/ai/embedding/vector-matrix.ts';

describe('vector-scan.wat', () => {
  it('is the source of the committed module', async () => {
    const source = readFileSync('lambdas/ai/embedding/vector-scan.wat', 'utf8');
    const { parseWat } = await wabt();
    const { buffer } = parseWat('vector-scan.wat', source, { simd: true }).toBinary({});
    // After a change of the source, copy the expected text into vector-matrix.ts.
    expect(vectorScanModule).toBe(Buffer.from(buffer).toString('base64'));
  });
});
