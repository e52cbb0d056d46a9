import * as z from 'zod';
import { type ModelAlias, modelAlias } from '../../../contract/models.ts';

/** The model, inference profile or prompt router behind each alias: an id or an ARN. */
export type ModelIds = Readonly<Record<ModelAlias, string>>;

const modelIds = z.record(modelAlias, z.string().min(1));

/** Reads what the stack hands to functions as JSON; an alias without a model stops the cold start. */
export function parseModelIds(json: string): ModelIds {
  return modelIds.parse(JSON.parse(json));
}
