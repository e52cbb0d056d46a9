import type { InboundPresetName } from '../../contract/inbound-presets.ts';

// Payloads in the form in which each system sends them, with invented names: an alert that fires, and the same one when it
// is over.

const alertmanager = (status: string) => ({
  receiver: 'incident-service',
  status,
  alerts: [
    {
      status,
      labels: { alertname: 'DiskAlmostFull', instance: 'db-1:9100', severity: 'critical' },
      annotations: { summary: 'Disk of db-1 is 97% full', description: 'Less than 3 GB are left on /var.' },
      startsAt: '2026-03-01T09:30:00.000Z',
      endsAt: status === 'firing' ? '0001-01-01T00:00:00Z' : '2026-03-01T09:40:00.000Z',
      generatorURL: 'http://prometheus:9090/graph?g0.expr=disk_free',
      fingerprint: '5ef77f1f8a3ecfb8',
    },
  ],
  groupLabels: { alertname: 'DiskAlmostFull' },
  commonLabels: { alertname: 'DiskAlmostFull', instance: 'db-1:9100', severity: 'critical' },
  commonAnnotations: { summary: 'Disk of db-1 is 97% full', description: 'Less than 3 GB are left on /var.' },
  externalURL: 'http://alertmanager:9093',
  version: '4',
  groupKey: '{}:{alertname="DiskAlmostFull"}',
  truncatedAlerts: 0,
});

export const topic_arn = 'arn:aws:sns:eu-central-1:123456789012:alarms';

const cloudwatch = (state: string) => ({
  Type: 'Notification',
  MessageId: '8b0d2a3c-6f0e-5a3f-9c1d-7f1f2a3b4c5d',
  TopicArn: topic_arn,
  Subject: `${state}: "orders-5xx" in EU (Frankfurt)`,
  Message: JSON.stringify({
    AlarmName: 'orders-5xx',
    AlarmDescription: 'The order API returns errors.',
    AWSAccountId: '123456789012',
    NewStateValue: state,
    NewStateReason: 'Threshold Crossed: 1 datapoint [12.0] was greater than the threshold (5.0).',
    StateChangeTime: '2026-03-01T09:30:00.000+0000',
    Region: 'EU (Frankfurt)',
    AlarmArn: 'arn:aws:cloudwatch:eu-central-1:123456789012:alarm:orders-5xx',
    OldStateValue: state === 'OK' ? 'ALARM' : 'OK',
    Trigger: { MetricName: '5XXError', Namespace: 'AWS/ApiGateway', Period: 60, Threshold: 5 },
  }),
  Timestamp: '2026-03-01T09:30:01.000Z',
  SignatureVersion: '1',
  Signature: 'EXAMPLE',
  SigningCertURL: 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0.pem',
  UnsubscribeURL: 'https://sns.eu-central-1.amazonaws.com/?Action=Unsubscribe',
});

const datadog = (transition: string) => ({
  id: 'a1b2c3d4e5f6',
  title: '[Triggered] CPU is high on web-3',
  body: 'The CPU of web-3 was above 95% for 10 minutes.',
  priority: 'P2',
  transition,
  link: 'https://app.datadoghq.com/event/event?id=1234567890',
  hostname: 'web-3',
});

const sentry = (action: string) => ({
  action,
  installation: { uuid: '7a485448-a9e2-4c85-8a3c-4f44175783c9' },
  data: {
    issue: {
      id: '1170820242',
      shortId: 'SHOP-42',
      title: 'TypeError: basket is undefined',
      culprit: 'checkout/basket.ts in total',
      level: 'error',
      status: action === 'resolved' ? 'resolved' : 'unresolved',
      web_url: 'https://sentry.io/organizations/shop/issues/1170820242/',
      project: { id: '1', name: 'shop', slug: 'shop', platform: 'javascript' },
    },
  },
  actor: { type: 'user', id: 7, name: 'Ada Lovelace' },
});

const repository = { id: 186853002, name: 'shop', full_name: 'acme/shop', private: true };

const github = (action: string) => ({
  action,
  issue: {
    id: 444500041,
    number: 7,
    title: 'Search returns nothing',
    body: 'Since noon.',
    state: action === 'closed' ? 'closed' : 'open',
    html_url: 'https://github.com/acme/shop/issues/7',
  },
  repository,
  sender: { login: 'ada', id: 21031067 },
});

const workflow = (conclusion: string) => ({
  action: 'completed',
  workflow_run: {
    id: 30433642,
    name: 'deploy',
    head_branch: 'main',
    workflow_id: 159038,
    display_title: 'Update the basket',
    status: 'completed',
    conclusion,
    html_url: 'https://github.com/acme/shop/actions/runs/30433642',
  },
  repository,
  sender: { login: 'ada', id: 21031067 },
});

const pagerduty = (event_action: string) => ({
  routing_key: 'R0123456789ABCDEF0123456789ABCDE',
  event_action,
  dedup_key: 'srv01/mysql',
  ...(event_action === 'trigger' && {
    payload: {
      summary: 'MySQL on srv01 does not answer',
      source: 'srv01',
      severity: 'error',
      component: 'mysql',
      custom_details: { ping: 'timeout' },
    },
    client: 'Monitoring',
    client_url: 'https://monitoring.acme.test/srv01',
  }),
});

interface Alert {
  preset: InboundPresetName;
  firing: object;
  resolved: object;
  /** Of the incident. */
  fields: { short_description: string; priority: string };
}

export const alerts: readonly Alert[] = [
  {
    preset: 'alertmanager',
    firing: alertmanager('firing'),
    resolved: alertmanager('resolved'),
    fields: { short_description: '[DiskAlmostFull] Disk of db-1 is 97% full', priority: 'P1' },
  },
  {
    preset: 'grafana',
    firing: {
      ...alertmanager('firing'),
      orgId: 1,
      title: '[FIRING:1] DiskAlmostFull',
      state: 'alerting',
      message: 'Firing',
    },
    resolved: {
      ...alertmanager('resolved'),
      orgId: 1,
      title: '[RESOLVED] DiskAlmostFull',
      state: 'ok',
      message: 'Resolved',
    },
    fields: { short_description: '[DiskAlmostFull] Disk of db-1 is 97% full', priority: 'P1' },
  },
  {
    preset: 'cloudwatch',
    firing: cloudwatch('ALARM'),
    resolved: cloudwatch('OK'),
    fields: { short_description: 'CloudWatch alarm orders-5xx', priority: 'P3' },
  },
  {
    preset: 'datadog',
    firing: datadog('Triggered'),
    resolved: datadog('Recovered'),
    fields: { short_description: '[Triggered] CPU is high on web-3', priority: 'P2' },
  },
  {
    preset: 'sentry',
    firing: sentry('created'),
    resolved: sentry('resolved'),
    fields: { short_description: 'TypeError: basket is undefined', priority: 'P2' },
  },
  {
    preset: 'github',
    firing: github('opened'),
    resolved: github('closed'),
    fields: { short_description: 'acme/shop#7: Search returns nothing', priority: 'P3' },
  },
  {
    preset: 'github',
    firing: workflow('failure'),
    resolved: workflow('success'),
    fields: { short_description: 'Workflow deploy failed on main', priority: 'P3' },
  },
  {
    preset: 'pagerduty',
    firing: pagerduty('trigger'),
    resolved: pagerduty('resolve'),
    fields: { short_description: 'MySQL on srv01 does not answer', priority: 'P2' },
  },
];

export const acknowledgement = pagerduty('acknowledge');

export const subscription = (url: string) => ({
  Type: 'SubscriptionConfirmation',
  MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
  Token: '2336412f37',
  TopicArn: topic_arn,
  Message: 'You have chosen to subscribe to the topic. To confirm, visit the SubscribeURL.',
  SubscribeURL: url,
  Timestamp: '2026-03-01T09:30:01.000Z',
});
