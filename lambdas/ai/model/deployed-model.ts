import { setTimeout as pause } from 'node:timers/promises';
import { bedrockClient } from '../../platform/clients/bedrock.ts';
import { env } from '../../platform/env.ts';
import { randomBelow } from '../../platform/ids.ts';
import { log } from '../../platform/log.ts';
import { bedrockModel } from './bedrock-model.ts';
import type { Converse } from './model.ts';
import { parseModelIds } from './model-ids.ts';

/** The models of this deployment, from the function's environment. */
export function deployedModel(): Converse {
  const { MODEL_IDS } = env('MODEL_IDS');
  return bedrockModel({
    client: bedrockClient(),
    modelIds: parseModelIds(MODEL_IDS),
    pause: async (attempt) => pause(randomBelow(firstPauseMs * 2 ** attempt) + 1),
    log,
  });
}

const firstPauseMs = 250;
