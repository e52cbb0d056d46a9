import * as z from 'zod';

// Model names that callers can choose. Each deployment maps them to models; responses report the model in `model_used`.
export const modelAliases = ['model-3-haiku', 'model-3-sonnet', 'model-3-opus'] as const;

export type ModelAlias = (typeof modelAliases)[number];

export const defaultModel = 'model-3-sonnet' satisfies ModelAlias;

export const modelAlias = z.enum(modelAliases).meta({
  description:
    'Model to use: `model-3-haiku` is the fastest, `model-3-sonnet` (default) is balanced, `model-3-opus` is the most capable.',
  examples: [defaultModel],
});
