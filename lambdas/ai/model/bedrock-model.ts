import { setTimeout as pause } from 'node:timers/promises';
import {
  type BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandInput,
  type ConverseCommandOutput,
  type Tool,
} from '@aws-sdk/client-bedrock-runtime';
import * as z from 'zod';
import type { ErrorCode } from '../../../contract/errors.ts';
import { type ModelAlias, modelAlias } from '../../../contract/models.ts';
import { bedrockClient } from '../../platform/clients/bedrock.ts';
import { env } from '../../platform/env.ts';
import { randomBelow } from '../../platform/ids.ts';
import { emitMetrics, type Log, log } from '../../platform/log.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { Converse, ModelAnswer, ModelRequest, ModelTool } from './language-model.ts';
import { findModelFamily } from './model-family.ts';

// Calls language models in Bedrock and retries within the deadline. Errors of the deployment (no access, wrong region,
// retired model) are not retried: the caller gets a problem that names the cause, and the runbook has a section for each.
// Any other rejected request is a bug and becomes a 500 response.

export interface BedrockModelTools {
  client: Pick<BedrockRuntimeClient, 'send'>;
  modelIds: ModelIds;
  /** Waits a random time that grows with the attempt. */
  pause(attempt: number): Promise<void>;
  log: Log;
}

const maxAttempts = 3;

/** With less time left, no attempt is made. */
const minAttemptMs = 500;

export function createBedrockModel({ client, modelIds, pause, log }: BedrockModelTools): Converse {
  return async (request, deadline) => {
    const { model } = request;
    for (let attempt = 1; deadline.remainingMs() >= minAttemptMs; attempt++) {
      try {
        const command = new ConverseCommand(toConverseInput(request, modelIds[model]));
        // A slow model would not be faster in another attempt, so each has all the time that is left.
        const abortSignal = AbortSignal.timeout(Math.ceil(deadline.remainingMs()));
        const output = await (client as BedrockRuntimeClient).send(command, { abortSignal });
        const { inputTokens = 0, outputTokens = 0 } = output.usage ?? {};
        emitMetrics({ InputTokens: inputTokens, OutputTokens: outputTokens }, { model });
        return toAnswer(output, modelIds[model]);
      } catch (error) {
        log('warn', 'model call failed', { model, attempt, error: String(error) });
        emitMetrics({ ModelErrors: 1 });
        const failure = toModelFailure(error);
        if (!failure) throw error;
        if (failure.isPermanent || attempt >= maxAttempts) throw toServiceError(failure, error);
        await pause(attempt);
      }
    }
    throw toServiceError(slow);
  };
}

/** Room for the thoughts of a model with low effort. */
const maxThinkingTokens = 4_096;

export function toConverseInput(request: ModelRequest, modelId: string): ConverseCommandInput {
  const { system, messages, tools = [], mustUse, maxTokens } = request;
  const { hasTemperature, canForceTool, thinks, cachesTools } = findModelFamily(modelId);
  // The tools of the copilot are the same in every step and for every question; a single tool is too short.
  const cachePoint: Tool[] = cachesTools && tools.length > 1 ? [{ cachePoint: { type: 'default' } }] : [];
  const forced = canForceTool ? mustUse : undefined;
  const rule = mustUse && !forced ? `\nAnswer only by calling the tool ${mustUse}.` : '';
  return {
    modelId,
    system: [{ text: `${system}${rule}` }],
    messages: [...messages],
    inferenceConfig: {
      maxTokens: thinks ? maxTokens + maxThinkingTokens : maxTokens,
      // The same evidence gives the same answer.
      ...(hasTemperature && { temperature: 0 }),
    },
    ...(tools.length > 0 && {
      toolConfig: {
        tools: [...tools.map(toTool), ...cachePoint],
        ...(forced && { toolChoice: { tool: { name: forced } } }),
      },
    }),
    // The material is in the prompt, and callers wait for the answer.
    ...(thinks && { additionalModelRequestFields: { output_config: { effort: 'low' } } }),
  };
}

const cutOffByReason: Readonly<Record<string, ModelAnswer['cutOff']>> = {
  max_tokens: 'too_long',
  model_context_window_exceeded: 'too_long',
  content_filtered: 'withheld',
  guardrail_intervened: 'withheld',
};

export function toAnswer({ output, usage, trace, stopReason }: ConverseCommandOutput, modelId: string): ModelAnswer {
  const content = output?.message?.content ?? [];
  const { inputTokens = 0, outputTokens = 0, totalTokens = inputTokens + outputTokens } = usage ?? {};
  const cutOff = cutOffByReason[stopReason ?? ''];
  return {
    ...(cutOff && { cutOff }),
    text: content.flatMap(({ text }) => text ?? []).join('\n'),
    toolUses: content.flatMap(({ toolUse }) => toolUse ?? []),
    // A prompt router reports the model that it chose.
    modelUsed: trace?.promptRouter?.invokedModelId ?? modelId,
    tokensUsed: totalTokens,
    message: { role: 'assistant', content },
  };
}

// Zod moves schemas with an id to $defs, but models read a schema best in one piece.
const metadataWithoutIds = z.registry<Record<string, unknown>>();
metadataWithoutIds.get = (schema) => ({ ...z.globalRegistry.get(schema), id: undefined });

function toTool({ name, description, input }: ModelTool): Tool {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', metadata: metadataWithoutIds });
  return { toolSpec: { name, description, inputSchema: { json: JSON.parse(JSON.stringify(schema)) } } };
}

/** The texts name no provider: on one machine, another server answers in the place of Bedrock. */
interface ModelFailure {
  code: ErrorCode;
  detail: string;
  retryAfterSeconds: number;
  /** Only an operator can fix it. */
  isPermanent?: boolean;
}

const throttled: ModelFailure = {
  code: 'model_throttled',
  detail: 'The provider of the language model throttles requests, because its quota is used up. Try again.',
  retryAfterSeconds: 10,
};
const down: ModelFailure = {
  code: 'unavailable',
  detail: 'The language model is not available right now. Try again.',
  retryAfterSeconds: 10,
};
const failing: ModelFailure = {
  code: 'unavailable',
  detail: 'The language model could not process the request. Try again, or with a shorter text.',
  retryAfterSeconds: 10,
};
const slow: ModelFailure = {
  code: 'unavailable',
  detail: 'The language model did not answer in time. Try again.',
  retryAfterSeconds: 5,
};
const permanent = { retryAfterSeconds: 300, isPermanent: true };
const accessDenied: ModelFailure = {
  ...permanent,
  code: 'model_access_denied',
  detail: 'The provider of the language model denied access. An operator must check the access rights or the key.',
};
const otherRegion: ModelFailure = {
  ...permanent,
  code: 'model_not_in_region',
  detail:
    'The provider does not offer the configured language model in this region. An operator must configure another one.',
};
const retired: ModelFailure = {
  ...permanent,
  code: 'model_retired',
  detail: 'The provider does not have the configured language model. An operator must configure another one.',
};

function toServiceError({ code, detail, retryAfterSeconds }: ModelFailure, cause?: unknown): ServiceError {
  return new ServiceError(code, detail, { headers: { 'Retry-After': String(retryAfterSeconds) }, cause });
}

const failuresByName: Readonly<Record<string, ModelFailure>> = {
  ThrottlingException: throttled,
  ServiceQuotaExceededException: throttled,
  ServiceUnavailableException: down,
  InternalServerException: down,
  ModelErrorException: failing,
  ModelNotReadyException: down,
  ModelTimeoutException: slow,
  TimeoutError: slow,
  AbortError: slow,
  AccessDeniedException: accessDenied,
};

/** Undefined for errors that callers must not see. Bedrock uses one name for several causes; the message tells them apart. */
function toModelFailure(error: unknown): ModelFailure | undefined {
  const { name = '', code, $metadata } = error as Partial<Error & { code: string } & ConverseCommandOutput>;
  const message = String(error);
  if (name === 'ResourceNotFoundException') return /use case details/i.test(message) ? accessDenied : retired;
  if (name === 'ValidationException') {
    const isOtherRegion = /model identifier is invalid|on-demand throughput|in this region/i.test(message);
    return isOtherRegion ? otherRegion : undefined;
  }
  // Without a response there is no status: the connection failed.
  const isConnection = /^(E[A-Z]+|ERR_HTTP2_\w+)$/.test(code ?? '') || /http2/i.test(message);
  const isDown = ($metadata?.httpStatusCode ?? 0) >= 500 || isConnection;
  return failuresByName[name] ?? (isDown ? down : undefined);
}

/** The model, inference profile or prompt router of each alias: an id or an ARN. */
export type ModelIds = Readonly<Record<ModelAlias, string>>;

/** Throws if an alias has no model, so that a wrong configuration fails at the cold start. */
export function parseModelIds(json: string): ModelIds {
  return z.record(modelAlias, z.string().min(1)).parse(JSON.parse(json));
}

const firstPauseMs = 250;

export function createDeployedModel(): Converse {
  return createBedrockModel({
    client: bedrockClient(),
    modelIds: parseModelIds(env('MODEL_IDS').MODEL_IDS),
    pause: async (attempt) => pause(randomBelow(firstPauseMs * 2 ** attempt) + 1),
    log,
  });
}
