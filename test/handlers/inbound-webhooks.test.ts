// Receiving comes last, because it moves the clock by a day and tokens expire.
await import('./inbound-webhooks/inbound-webhooks.ts');
await import('./inbound-webhooks/replay-inbound-event.ts');
await import('./inbound-webhooks/receive-inbound-event.ts');
