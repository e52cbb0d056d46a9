export type { Answer, CallOptions, ResponseFacts } from './call-types.ts';
export { type ClientOptions, createClient, type ServiceClient } from './client.ts';
export type { ApiKeyCredentials, ClientCredentials, Credentials, TokenCredentials } from './credentials.ts';
export type { Environment } from './environment.ts';
export { apiRoot, operationTable } from './operation-table.ts';
export { type ClientErrorCode, type ProblemCode, ServiceProblem } from './problem.ts';
export type { RateLimitState } from './rate-limit.ts';
export type { RetryPolicy } from './retry.ts';
export {
  requestTokens,
  revokeRefreshToken,
  type TokenEndpoint,
  type TokenSet,
  tokenEndpoint,
} from './token-endpoint.ts';
