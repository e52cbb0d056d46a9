import middy from '@middy/core';
import { inboundEventOperations } from '../../contract/inbound-events.ts';
import type { GatewayEvent, GatewayResult, PipelineContext } from '../platform/http/answer.ts';
import { type Platform, problemAnswers, requestLog, responseHeaders } from '../platform/http/pipeline.ts';
import { createPlatform } from '../platform/http/wiring.ts';
import type { Receive } from './receive-inbound-event.ts';

/** Like `route`, but without the steps that need a caller or look into the body: that is the receiver's business. */
export function receiveRoute(
  receive: Receive,
  platform: Platform = createPlatform(),
): (event: GatewayEvent, context: PipelineContext) => Promise<GatewayResult> {
  return middy<GatewayEvent, GatewayResult, Error, PipelineContext>({ timeoutEarlyInMillis: answerBeforeTimeoutMs })
    .use(requestLog(inboundEventOperations.receiveInboundEvent.name, platform))
    .use(responseHeaders(platform))
    .use(problemAnswers(platform))
    .handler((event, { exchange }) => receive(event, exchange, platform));
}

/** Enough to write an answer and a log line before Lambda ends the function. */
const answerBeforeTimeoutMs = 250;
