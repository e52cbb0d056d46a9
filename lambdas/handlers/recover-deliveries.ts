import { deliveryOperations } from '../../contract/deliveries.ts';
import { route } from '../platform/http/route.ts';
import { deployedQueueing } from '../webhooks/deployed-queueing.ts';
import { recoverDeliveries } from '../webhooks/recover-deliveries.ts';

export const handler = route(deliveryOperations.recoverDeliveries, recoverDeliveries(deployedQueueing()));
