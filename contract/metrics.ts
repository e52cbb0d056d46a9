// Business metrics. The functions emit them in CloudWatch's embedded metric format, and dashboards show them. Each value
// has the dimension `service`, the instance of the service, because one account may hold several.

export const metricsNamespace = 'IncidentService';

export const metricUnits = {
  /** By priority. */
  IncidentsCreated: 'Count',
  /** By priority. */
  SlaBreaches: 'Count',
  /** Pages that nobody acknowledged, or that reached nobody. */
  PagesUnanswered: 'Count',
  DeliveryAttempts: 'Count',
  DeliveriesSucceeded: 'Count',
  DeliveriesFailed: 'Count',
  /** Messages to people, by e-mail, SMS or chat. */
  MessagesSent: 'Count',
  MessagesFailed: 'Count',
  /** Responses with status 500, by deployment: `gradual` for functions with versions, `direct` for the others. */
  UnexpectedErrors: 'Count',
  /** Failed calls of the language model. */
  ModelErrors: 'Count',
  AnswerCacheHits: 'Count',
  AnswerCacheMisses: 'Count',
  /** By model. */
  InputTokens: 'Count',
  /** By model. */
  OutputTokens: 'Count',
} as const;

export type MetricName = keyof typeof metricUnits;
