// AWS list prices in us-east-1, in dollars, without free tiers, discounts, taxes and data transfer. Check them against the
// pricing pages before you rely on them.

export const priceDate = '2026-11-16';

/** Per million. */
export const perMillion = {
  cloudFrontRequests: 1,
  gatewayRequests: 3.5,
  lambdaRequests: 0.2,
  dynamoDbReadUnits: 0.125,
  dynamoDbWriteUnits: 0.625,
  sqsRequests: 0.4,
  snsPublishes: 0.5,
  stateTransitions: 25,
  kmsRequests: 3,
  s3Writes: 5,
  s3Reads: 0.4,
  schedulerInvocations: 1,
  /** Client-credentials grants of Cognito. */
  programTokens: 2_250,
  traces: 5,
} as const;

/** arm64. */
export const lambdaGbSecond = 0.0000133334;

/** Per month. */
export const perMonth = {
  kmsKey: 1,
  alarm: 0.1,
  dashboard: 3,
  webAcl: 5,
  webAclRule: 1,
  /** A custom metric. */
  metric: 0.3,
  logGigabyte: 0.5,
} as const;

/** Per account and month, where it does not expire. */
export const freeTier = {
  alarms: 10,
  dashboards: 3,
  metrics: 10,
  sqsRequests: 1_000_000,
  traces: 100_000,
  logMegabytes: 5_000,
} as const;
