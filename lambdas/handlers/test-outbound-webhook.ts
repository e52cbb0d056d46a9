import { deliveryOperations } from '../../contract/deliveries.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { deployedQueueing } from '../webhooks/deployed-queueing.ts';
import { testOutboundWebhook } from '../webhooks/test-outbound-webhook.ts';

const { SERVICE_INSTANCE: serviceInstance, ALLOWED_ORIGIN: publicUrl } = env('SERVICE_INSTANCE', 'ALLOWED_ORIGIN');
const tools = { ...deployedQueueing(), serviceInstance, publicUrl };

export const handler = route(deliveryOperations.testOutboundWebhook, testOutboundWebhook(tools));
