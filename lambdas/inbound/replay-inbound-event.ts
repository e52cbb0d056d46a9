import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { idFrom } from '../platform/ids.ts';
import type { InboundTools } from './event-outcome.ts';
import { findEventOf } from './get-inbound-event.ts';
import { parsePayload } from './payload.ts';
import { processEvent } from './process-event.ts';
import { receivedAnswer } from './received-answer.ts';

/** Works on an inactive webhook, too: whoever replays has seen what it does. */
export function replayInboundEvent(tools: InboundTools): UseCase<typeof routes.replayInboundEvent> {
  return async ({ params, headers }, { caller, clock }) => {
    const { webhook, stored } = await findEventOf(tools.store, params, clock.now());
    const key = headers['Idempotency-Key'];
    const seed = `${webhook.id} replay ${stored.event.id} ${caller.id} ${key}`;
    const body = stored.body();
    const processed = await processEvent(
      {
        webhook,
        eventId: key === undefined ? undefined : idFrom('inboundEvent', seed),
        body,
        payload: parsePayload(body),
        proof: 'replay',
        bodyRule: 'none',
        replayOf: stored.event.id,
      },
      tools,
    );
    return receivedAnswer(processed);
  };
}
