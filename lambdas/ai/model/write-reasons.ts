import type * as z from 'zod';
import type { Clock } from '../../platform/clock.ts';
import { type Log, toErrorFields } from '../../platform/log.ts';
import {
  type Converse,
  type ModelUsage,
  requestStructuredAnswer,
  type StructuredRequest,
  startDeadline,
} from './language-model.ts';

/** Somebody waits for suggestions while typing. */
const timeoutMs = 8_000;

/** A model that cannot write reasons is not asked again during this time. */
const pauseMs = 60_000;

/** Adds text of a language model to results that need none. Undefined when the model fails, is late or only quotes. */
export type WriteReasons = <Schema extends z.ZodType>(
  request: Omit<StructuredRequest<Schema>, 'model'>,
) => Promise<(ModelUsage & { value: z.output<Schema> }) | undefined>;

export function createReasonWriter(converse: Converse, clock: Clock, log: Log): WriteReasons {
  let pausedUntilMs = 0;
  return async (request) => {
    if (clock.now() < pausedUntilMs) return undefined;
    try {
      return await requestStructuredAnswer(converse, { model: 'model-3-haiku', ...request }, startDeadline(timeoutMs));
    } catch (error) {
      pausedUntilMs = clock.now() + pauseMs;
      log('info', 'the language model wrote no reasons; continuing without them', toErrorFields(error));
      return undefined;
    }
  };
}
