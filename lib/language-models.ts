import { Stack } from 'aws-cdk-lib/core';
import type { ModelAlias } from '../contract/models.ts';
import type { ServiceFunction } from './functions.ts';

// The language models of a deployment: which one stands behind each name that callers use, and the permission to use
// exactly these.

export type LanguageModels = Readonly<Record<ModelAlias, LanguageModel>>;

export interface LanguageModel {
  /** Of the model: provider.name-version. */
  modelId: string;
  /** The inference profile through which it is used, and the regions that the profile sends requests to. */
  profile?: { id: string; regions: readonly string[] };
}

/** Models that answer from any region of the United States; they are offered through a profile only. */
export function inUnitedStates(modelId: string): LanguageModel {
  return { modelId, profile: { id: `us.${modelId}`, regions: ['us-east-1', 'us-east-2', 'us-west-2'] } };
}

/** Lets the function use the models, and tells it which one is behind each name. */
export function grantConverse(fn: ServiceFunction, models: LanguageModels): void {
  const ids = Object.entries(models).map(([alias, { modelId, profile }]) => [alias, profile?.id ?? modelId]);
  const resources = Object.values(models).flatMap((model) => resourcesOf(Stack.of(fn), model));
  fn.grant(['bedrock:InvokeModel'], [...new Set(resources)], { MODEL_IDS: JSON.stringify(Object.fromEntries(ids)) });
}

/** A profile needs both permissions: on itself, and on the model in every region that it may choose. */
function resourcesOf(stack: Stack, { modelId, profile }: LanguageModel): string[] {
  const arn = (region: string, account: string, resource: string) =>
    `arn:${stack.partition}:bedrock:${region}:${account}:${resource}`;
  const model = (region: string) => arn(region, '', `foundation-model/${modelId}`);
  if (!profile) return [model(stack.region)];
  return [arn(stack.region, stack.account, `inference-profile/${profile.id}`), ...profile.regions.map(model)];
}
