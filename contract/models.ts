import * as z from 'zod';

// The names by which callers choose a model. Which model stands behind a name is configuration of a deployment; what
// answered in the end is in `model_used`.
export const modelAliases = ['model-3-haiku', 'model-3-sonnet', 'model-3-opus'] as const;

export type ModelAlias = (typeof modelAliases)[number];

export const defaultModel = 'model-3-sonnet' satisfies ModelAlias;

export const modelAlias = z.enum(modelAliases).meta({
  description:
    'model-3-haiku is fast and cheap, model-3-sonnet (default) balanced, model-3-opus for long and hard texts.',
  examples: [defaultModel],
});
