import { inboundEventOperations } from '../../contract/inbound-events.ts';
import { deployedTools } from '../inbound/deployed-tools.ts';
import { replayInboundEvent } from '../inbound/replay-inbound-event.ts';
import { route } from '../platform/http/route.ts';

export const handler = route(inboundEventOperations.replayInboundEvent, replayInboundEvent(deployedTools()));
