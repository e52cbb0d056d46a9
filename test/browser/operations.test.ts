import './operations/webhooks.ts';
import './operations/on-call.ts';
