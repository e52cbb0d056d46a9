export type * from './api-types.ts';
export type { HeaderHook } from './call.ts';
export type { CallOptions, CallResponse, ResponseInfo } from './call-types.ts';
export { type ClientOptions, createClient, type ServiceClient } from './client.ts';
export type { ApiKeyCredentials, ClientCredentials, Credentials, TokenCredentials } from './credentials.ts';
export type { Environment } from './environment.ts';
export {
  attachmentTypes,
  eventTypes,
  incidentFields,
  incidentStates,
  incidentTransitions,
  linkTypes,
  priorities,
  problemStates,
} from './incident-values.ts';
export type { BulkOutcome, Jobs, RunOptions, WaitOptions } from './jobs.ts';
export { apiRoot, operationTable } from './operation-table.ts';
export {
  AuthenticationProblem,
  type ClientErrorCode,
  ConflictProblem,
  ConnectionProblem,
  NotFoundProblem,
  PermissionProblem,
  PreconditionProblem,
  type ProblemCode,
  RateLimitProblem,
  ServiceProblem,
  TransitionProblem,
  UnavailableProblem,
  ValidationProblem,
} from './problem.ts';
export type { RateLimitState } from './rate-limit.ts';
export type { RetryPolicy } from './retry.ts';
export {
  createTokenEndpoint,
  requestTokens,
  revokeRefreshToken,
  type TokenEndpoint,
  type TokenSet,
} from './token-endpoint.ts';
export {
  type SignatureScheme,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
} from './webhooks.ts';
