import { Stack } from 'aws-cdk-lib/core';
import type { ModelAlias } from '../contract/models.ts';
import type { ServiceFunction } from './functions.ts';

// The language models of a deployment: the model behind each name that callers use, and the permission to invoke these
// models only.

export type LanguageModels = Readonly<Record<ModelAlias, LanguageModel>>;

export interface LanguageModel {
  /** Of the model: provider.name-version. */
  modelId: string;
  /** The inference profile through which it is used, and other regions that the profile sends requests to. */
  profile?: { id: string; regions: readonly string[] };
}

const america = ['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'ca-central-1', 'ca-west-1'];
const southernEurope = ['eu-south-1', 'eu-south-2'];
const westernEurope = ['eu-west-1', 'eu-west-2', 'eu-west-3'];
const europe = ['eu-central-1', 'eu-central-2', 'eu-north-1', ...southernEurope, ...westernEurope];
const eastAsia = ['ap-east-2', 'ap-northeast-1', 'ap-northeast-2', 'ap-northeast-3', 'ap-south-1', 'ap-south-2'];
const southEastAsia = [1, 2, 3, 4, 5, 6, 7].map((number) => `ap-southeast-${number}`);
const otherRegions = ['af-south-1', 'il-central-1', 'me-central-1', 'me-south-1', 'mx-central-1', 'sa-east-1'];

/**
 * Regions that may use the inference profiles of a geography, and regions that such a profile sends requests to besides the
 * caller's own. The model cards in Bedrock's user guide list both.
 */
const geographies = {
  us: { sources: america, destinations: ['us-east-1', 'us-east-2', 'us-west-2'] },
  eu: {
    sources: europe,
    destinations: ['eu-central-1', 'eu-north-1', ...southernEurope, 'eu-west-1', 'eu-west-3'],
  },
  /** Any commercial region; IAM knows that as an ARN without a region. */
  global: { sources: [...america, ...europe, ...eastAsia, ...southEastAsia, ...otherRegions], destinations: [''] },
};

export type Geography = keyof typeof geographies;

export const geographyNames = ['us', 'eu', 'global'] as const satisfies Geography[];

/** Undefined if the region is in no geography of its own. */
export function findGeography(region: string): Geography | undefined {
  return geographyNames.find((name) => name !== 'global' && hasModels(name, region));
}

export function hasModels(geography: Geography, region: string): boolean {
  return geographies[geography].sources.includes(region);
}

/**
 * `endOfLife` is a year after the launch of the model in Bedrock. AWS promises that year for models launched before
 * 2026-09-07. For later ones, such as these, only "EOL no sooner than" in the model card counts, and the legacy period before
 * it may be 45 days: compare the dates with the cards.
 */
export const currentModels = {
  'model-3-haiku': { modelId: 'anthropic.claude-haiku-5-5', endOfLife: '2027-10-07' },
  'model-3-sonnet': { modelId: 'anthropic.claude-sonnet-5-5', endOfLife: '2027-09-28' },
  'model-3-opus': { modelId: 'anthropic.claude-opus-5-5', endOfLife: '2027-09-22' },
} as const satisfies Record<ModelAlias, { modelId: string; endOfLife: string }>;

/** The models are offered through a profile only. That of `us` or `eu` keeps requests in its geography. */
export function getLanguageModels(geography: Geography): LanguageModels {
  const { destinations: regions } = geographies[geography];
  const models = Object.entries(currentModels).map(([alias, { modelId }]) => [
    alias,
    { modelId, profile: { id: `${geography}.${modelId}`, regions } },
  ]);
  return Object.fromEntries(models) as LanguageModels;
}

/** Allows the function to invoke the models, and sets the variable that maps names to them. */
export function grantConverse(fn: ServiceFunction, models: LanguageModels): void {
  const ids = Object.entries(models).map(([alias, { modelId, profile }]) => [alias, profile?.id ?? modelId]);
  const resources = Object.values(models).flatMap((model) => listModelArns(Stack.of(fn), model));
  fn.grant(['bedrock:InvokeModel'], [...new Set(resources)], { MODEL_IDS: JSON.stringify(Object.fromEntries(ids)) });
}

/** A profile needs both permissions: on itself, and on the model in every region that it may choose. */
function listModelArns(stack: Stack, { modelId, profile }: LanguageModel): string[] {
  const toArn = (region: string, account: string, resource: string) =>
    `arn:${stack.partition}:bedrock:${region}:${account}:${resource}`;
  const toModelArn = (region: string) => toArn(region, '', `foundation-model/${modelId}`);
  if (!profile) return [toModelArn(stack.region)];
  const regions = [stack.region, ...profile.regions];
  return [toArn(stack.region, stack.account, `inference-profile/${profile.id}`), ...regions.map(toModelArn)];
}
