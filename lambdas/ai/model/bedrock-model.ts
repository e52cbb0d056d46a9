import {
  type BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandOutput,
} from '@aws-sdk/client-bedrock-runtime';
import type { Log } from '../../platform/log.ts';
import { ServiceError } from '../../platform/service-error.ts';
import { emitMetrics } from '../../platform/telemetry/metrics.ts';
import { toAnswer, toConverseInput } from './converse-shapes.ts';
import type { Converse, Deadline, ModelRequest } from './model.ts';
import type { ModelIds } from './model-ids.ts';

// Language models of Bedrock. A call is tried again while there is time for an answer; what cannot pass by waiting
// (no permission, an unknown model, a request the model refuses) is a fault of ours and not hidden as trouble of theirs.

export interface BedrockModelTools {
  client: Pick<BedrockRuntimeClient, 'send'>;
  modelIds: ModelIds;
  /** Waits a random time that grows with the attempt. */
  pause(attempt: number): Promise<void>;
  log: Log;
}

const maxAttempts = 3;

/** An attempt that takes longer is given up, as long as there would be time for another. */
const attemptMs = 16_000;

/** With less time left than this no model answers any more. */
const leastMs = 500;

export function bedrockModel({ client, modelIds, pause, log }: BedrockModelTools): Converse {
  const attempt = async (request: ModelRequest, deadline: Deadline): Promise<ConverseCommandOutput> => {
    const command = new ConverseCommand(toConverseInput(request, modelIds[request.model]));
    const withinMs = Math.min(attemptMs, deadline.remainingMs());
    return (client as BedrockRuntimeClient).send(command, { abortSignal: AbortSignal.timeout(Math.ceil(withinMs)) });
  };
  return async (request, deadline) => {
    for (let number = 1; deadline.remainingMs() >= leastMs; number++) {
      try {
        const output = await attempt(request, deadline);
        const { inputTokens = 0, outputTokens = 0 } = output.usage ?? {};
        emitMetrics(log, { InputTokens: inputTokens, OutputTokens: outputTokens }, { model: request.model });
        return toAnswer(output, modelIds[request.model]);
      } catch (error) {
        const trouble = passingTrouble(error);
        log('warn', 'the model did not answer', { model: request.model, attempt: number, error: String(error) });
        if (!trouble) throw error;
        if (number >= maxAttempts) throw unavailable(trouble, error);
        await pause(number);
      }
    }
    throw unavailable('slow');
  };
}

type Trouble = 'throttled' | 'down' | 'slow';

function unavailable(trouble: Trouble, cause?: unknown): ServiceError {
  const { detail, retryAfterSeconds } = troubles[trouble];
  return new ServiceError('unavailable', detail, { headers: { 'Retry-After': String(retryAfterSeconds) }, cause });
}

const troubles: Readonly<Record<Trouble, { detail: string; retryAfterSeconds: number }>> = {
  throttled: { detail: 'The language model is busy. Try again.', retryAfterSeconds: 10 },
  down: { detail: 'The language model is not available right now. Try again.', retryAfterSeconds: 10 },
  slow: { detail: 'The language model did not answer in time. Try again.', retryAfterSeconds: 5 },
};

const namedTroubles: Readonly<Record<string, Trouble>> = {
  ThrottlingException: 'throttled',
  ServiceQuotaExceededException: 'throttled',
  ServiceUnavailableException: 'down',
  InternalServerException: 'down',
  ModelErrorException: 'down',
  ModelNotReadyException: 'down',
  ModelTimeoutException: 'slow',
  TimeoutError: 'slow',
  AbortError: 'slow',
};

function passingTrouble(error: unknown): Trouble | undefined {
  const { name, code, $metadata } = error as { name?: string; code?: string; $metadata?: { httpStatusCode?: number } };
  const named = namedTroubles[name ?? ''];
  if (named) return named;
  if (($metadata?.httpStatusCode ?? 0) >= 500) return 'down';
  // Without an answer there is no status: the connection broke, or was never made.
  const connection = /^(E[A-Z]+|ERR_HTTP2_\w+)$/.test(code ?? '') || /http2/i.test(String(error));
  return connection ? 'down' : undefined;
}
