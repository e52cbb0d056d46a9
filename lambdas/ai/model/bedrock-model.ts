import { setTimeout as pause } from 'node:timers/promises';
import {
  type BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandOutput,
} from '@aws-sdk/client-bedrock-runtime';
import * as z from 'zod';
import type { ErrorCode } from '../../../contract/errors.ts';
import { type ModelAlias, modelAlias } from '../../../contract/models.ts';
import { bedrockClient } from '../../platform/clients/bedrock.ts';
import { env } from '../../platform/env.ts';
import { randomBelow } from '../../platform/ids.ts';
import { emitMetrics, type Log, log } from '../../platform/log.ts';
import { ServiceError } from '../../platform/service-error.ts';
import { toAnswer, toConverseInput } from './converse-shapes.ts';
import type { Converse, Deadline, ModelRequest } from './model.ts';

// Language models of Bedrock. A call is retried while there is time for an answer. An error in the deployment (no access,
// another region, a retired model) does not pass by waiting: the caller gets a problem that names it, and the runbook has a
// section for each. Any other rejected request is a bug of ours and answers 500.

export interface BedrockModelTools {
  client: Pick<BedrockRuntimeClient, 'send'>;
  modelIds: ModelIds;
  /** Waits a random time that grows with the attempt. */
  pause(attempt: number): Promise<void>;
  log: Log;
}

const maxAttempts = 3;

/** A longer attempt is aborted, so that there is time for another one. */
const attemptMs = 16_000;

/** No model answers within less. */
const minMs = 500;

export function bedrockModel({ client, modelIds, pause, log }: BedrockModelTools): Converse {
  const attempt = async (request: ModelRequest, deadline: Deadline): Promise<ConverseCommandOutput> => {
    const command = new ConverseCommand(toConverseInput(request, modelIds[request.model]));
    const withinMs = Math.min(attemptMs, deadline.remainingMs());
    return (client as BedrockRuntimeClient).send(command, { abortSignal: AbortSignal.timeout(Math.ceil(withinMs)) });
  };
  return async (request, deadline) => {
    for (let number = 1; deadline.remainingMs() >= minMs; number++) {
      try {
        const output = await attempt(request, deadline);
        const { inputTokens = 0, outputTokens = 0 } = output.usage ?? {};
        emitMetrics(log, { InputTokens: inputTokens, OutputTokens: outputTokens }, { model: request.model });
        return toAnswer(output, modelIds[request.model]);
      } catch (error) {
        const failure = toModelFailure(error);
        log('warn', 'the model did not answer', { model: request.model, attempt: number, error: String(error) });
        if (!failure) throw error;
        if (failure.isPermanent || number >= maxAttempts) throw toServiceError(failure, error);
        await pause(number);
      }
    }
    throw toServiceError(slow);
  };
}

interface ModelFailure {
  code: ErrorCode;
  detail: string;
  retryAfterSeconds: number;
  /** Only an operator can end it. */
  isPermanent?: boolean;
}

const again = (code: ErrorCode, detail: string, retryAfterSeconds = 10): ModelFailure => ({
  code,
  detail: `${detail} Try again.`,
  retryAfterSeconds,
});
const permanent = (code: ErrorCode, detail: string): ModelFailure => ({
  code,
  detail,
  retryAfterSeconds: 300,
  isPermanent: true,
});

const throttled = again(
  'model_throttled',
  'Bedrock throttles the language model: the quota of the account is used up.',
);
const down = again('unavailable', 'The language model is not available right now.');
const slow = again('unavailable', 'The language model did not answer in time.', 5);
const other = 'An operator must configure another one.';
const accessDenied = permanent(
  'model_access_denied',
  'The AWS account has no access to the language model. An operator must request it in Bedrock.',
);
const otherRegion = permanent(
  'model_not_in_region',
  `Bedrock does not offer the configured language model in this region. ${other}`,
);
const retired = permanent('model_retired', `Bedrock has retired the configured language model. ${other}`);

function toServiceError({ code, detail, retryAfterSeconds }: ModelFailure, cause?: unknown): ServiceError {
  return new ServiceError(code, detail, { headers: { 'Retry-After': String(retryAfterSeconds) }, cause });
}

const failuresByName: Readonly<Record<string, ModelFailure>> = {
  ThrottlingException: throttled,
  ServiceQuotaExceededException: throttled,
  ServiceUnavailableException: down,
  InternalServerException: down,
  ModelErrorException: down,
  ModelNotReadyException: down,
  ModelTimeoutException: slow,
  TimeoutError: slow,
  AbortError: slow,
  AccessDeniedException: accessDenied,
};

/** Undefined for errors that a caller must not see. Bedrock uses one name for several causes; the message tells which. */
function toModelFailure(error: unknown): ModelFailure | undefined {
  const { name, code, $metadata } = error as { name?: string; code?: string; $metadata?: { httpStatusCode?: number } };
  const message = String(error);
  if (name === 'ResourceNotFoundException') {
    return /use case details/i.test(message) ? accessDenied : retired;
  }
  if (name === 'ValidationException') {
    const isOtherRegion = /model identifier is invalid|on-demand throughput|in this region/i.test(message);
    return isOtherRegion ? otherRegion : undefined;
  }
  const named = failuresByName[name ?? ''];
  if (named) return named;
  if (($metadata?.httpStatusCode ?? 0) >= 500) return down;
  // Without a response there is no status: the connection broke, or was never made.
  const isConnection = /^(E[A-Z]+|ERR_HTTP2_\w+)$/.test(code ?? '') || /http2/i.test(message);
  return isConnection ? down : undefined;
}

/** The model, inference profile or prompt router behind each alias: an id or an ARN. */
export type ModelIds = Readonly<Record<ModelAlias, string>>;

const modelIds = z.record(modelAlias, z.string().min(1));

/** Reads what the stack hands to functions as JSON; an alias without a model stops the cold start. */
export function parseModelIds(json: string): ModelIds {
  return modelIds.parse(JSON.parse(json));
}

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
