import * as z from 'zod';

export const outboundWebhookId = z
  .string()
  .regex(/^wh_out_[0-9A-HJKMNP-TV-Z]{26}$/)
  .meta({ description: 'ID of the webhook.', examples: ['wh_out_5T2XK8M0QW9RZC4V7HJ1NBD6FE'] });
