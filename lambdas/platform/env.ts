import * as z from 'zod';

// The only reader of process.env. Each function names the variables that it needs when it starts, so that a missing one
// fails the cold start with a list instead of a request.
const variables = {
  AI_CACHE_TABLE: z.string().min(1),
  ALERTS_TOPIC: z.string().min(1),
  ALLOWED_ORIGIN: z.url(),
  API_KEY_ROLES: z.string().min(1),
  ATTACHMENTS_BUCKET: z.string().min(1),
  ATTACHMENTS_URL: z.url(),
  CANARY_CLIENT_ID: z.string().min(1),
  CONSOLE_BUCKET: z.string().min(1),
  CORS_ORIGINS: z.string().min(1),
  CURSOR_KEY: z.string().min(1),
  DEAD_LETTER_QUEUE_URL: z.url(),
  DELIVERY_QUEUE_URL: z.url(),
  EVENTS_TABLE: z.string().min(1),
  INDEX_RETRY_QUEUE_URL: z.url(),
  ISSUER: z.url(),
  JOBS_MACHINE: z.string().min(1),
  JOBS_QUEUE_URL: z.url(),
  JWKS_URL: z.url(),
  LAMBDA_TASK_ROOT: z.string().min(1),
  LOOPBACK_RECEIVERS: z.enum(['allowed', 'rejected']),
  MAIL_SENDER: z.string().min(1),
  MESSAGES_QUEUE_URL: z.url(),
  MODEL_IDS: z.string().min(1),
  OIDC_ISSUER: z.union([z.url(), z.literal('')]),
  PAGES_MACHINE: z.string().min(1),
  PAGES_QUEUE_URL: z.url(),
  PAGE_CHECKS_QUEUE_URL: z.url(),
  RATE_LIMITS_TABLE: z.string().min(1),
  RECORDS_TABLE: z.string().min(1),
  REINDEX_MACHINE: z.string().min(1),
  REINDEX_QUEUE_URL: z.url(),
  REQUEST_CATALOG: z.string().min(1),
  RETRY_MACHINE: z.string().min(1),
  RETRY_QUEUE_URL: z.url(),
  ROLE_MAPPING: z.string().min(1),
  SEARCH_PREFIX: z.string().min(1),
  SECRETS_KEY: z.string().min(1),
  SERVICE_DOMAIN: z.string().min(1),
  SERVICE_INSTANCE: z.string().min(1),
  SERVICE_VERSION: z.string().min(1),
  SLA_MINUTES: z.string().min(1),
  SLOW_DELIVERY_QUEUE_URL: z.url(),
  SNAPSHOTS_BUCKET: z.string().min(1),
  SSO_NAME: z.string(),
  TEXT_MESSAGES: z.enum(['on', 'off']),
  TOKEN_URL: z.url(),
  UNMAPPED_PEOPLE: z.enum(['viewer', 'rejected']),
  USAGE_PLAN_NAME: z.string().min(1),
  USER_INFO_URL: z.url(),
  USER_POOL_ID: z.string().min(1),
};

/** Optional variables: Lambda sets them, or they have a default. */
export function readOptional(
  name: 'AWS_XRAY_DAEMON_ADDRESS' | 'SEARCH_ENDPOINT' | 'SERVICE_INSTANCE' | '_X_AMZN_TRACE_ID',
): string | undefined {
  return process.env[name];
}

export type Variable = keyof typeof variables;

export function env<Name extends Variable>(...names: Name[]): Readonly<Record<Name, string>> {
  const parsed = names.map((name) => ({ name, result: variables[name].safeParse(process.env[name]) }));
  const wrong = parsed.filter(({ result }) => !result.success).map(({ name }) => name);
  if (wrong.length > 0) throw new Error(`missing or invalid environment variables: ${wrong.join(', ')}`);
  return Object.fromEntries(parsed.map(({ name, result }) => [name, result.data])) as Record<Name, string>;
}
