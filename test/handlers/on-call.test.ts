// Pages come last, because they move the clock by a day and tokens expire.
await import('./on-call/escalation-policies.ts');
await import('./on-call/schedules.ts');
await import('./on-call/contact-methods.ts');
await import('./on-call/pages.ts');
