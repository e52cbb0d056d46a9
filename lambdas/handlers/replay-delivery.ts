import { deliveryOperations } from '../../contract/deliveries.ts';
import { route } from '../platform/http/route.ts';
import { deployedQueueing } from '../webhooks/deployed-queueing.ts';
import { replayDelivery } from '../webhooks/replay-delivery.ts';

export const handler = route(deliveryOperations.replayDelivery, replayDelivery(deployedQueueing()));
