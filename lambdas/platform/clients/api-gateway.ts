import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { bounded, shared } from './bounded.ts';

export const apiGatewayClient = shared(() => new APIGatewayClient(bounded));
