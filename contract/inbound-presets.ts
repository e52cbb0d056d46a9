import type { Filter, FilterOperator } from './webhook-settings.ts';

// Ready-made settings for systems that send alerts. Each one creates an incident when an alert fires, recognizes repeats
// by a deduplication key, and resolves the incident when the alert ends. Free of zod, so that the browser can import them.

export const inboundActions = ['create_incident', 'update_incident', 'resolve_incident', 'add_note'] as const;

export type InboundAction = (typeof inboundActions)[number];

export interface InboundPreset {
  title: string;
  /** What to configure in the sending system. */
  setup: string;
  action: InboundAction;
  field_mapping: Readonly<Record<string, string>>;
  /** The conditions of the action. */
  when: Filter[];
  rules: { when: Filter[]; action: InboundAction; field_mapping: Record<string, string> }[];
  dedup_key: string;
  /** Whether the sender can sign with the secret of the webhook. */
  canSign?: true;
}

export const inboundPresetNames = [
  'alertmanager',
  'grafana',
  'cloudwatch',
  'datadog',
  'sentry',
  'github',
  'pagerduty',
] as const;

export type InboundPresetName = (typeof inboundPresetNames)[number];

const where = (field: string, operator: FilterOperator, value: Filter['value']): Filter => ({ field, operator, value });

const bySeverity =
  '{{commonLabels.severity | lower | map:"critical=P1,page=P1,error=P2,warning=P3,info=P4" | default:"P3"}}';

// A group has only the labels and annotations that all its alerts share, so the alerts themselves name the rest.
const groupTitle = (name: string) =>
  `[{{commonLabels.alertname | default:$.alerts[*].labels.alertname | truncate:100 | default:"${name}"}}] ` +
  '{{commonAnnotations.summary | default:$.alerts[*].labels.instance | default:$.alerts[*].annotations.summary | truncate:140}}';

const instances = 'Instances: {{alerts[*].labels.instance | default:"not named"}}';

const resolveWhen = (field: string, value: string, resolution: string) => ({
  when: [where(field, 'eq', value)],
  action: 'resolve_incident' as const,
  field_mapping: { resolution },
});

export const inboundPresets: Readonly<Record<InboundPresetName, InboundPreset>> = {
  alertmanager: {
    title: 'Prometheus Alertmanager',
    setup:
      'Add a receiver with `webhook_configs: [{ url: "<url of the webhook>", send_resolved: true }]`. One incident is ' +
      'created per alert group.',
    action: 'create_incident',
    field_mapping: {
      short_description: groupTitle('Alert'),
      description:
        '{{commonAnnotations.description | default:$.alerts[*].annotations.description}}\n\n' +
        `${instances}\n\nLabels: {{commonLabels}}\n\nAlertmanager: {{externalURL}}`,
      priority: bySeverity,
      category: 'monitoring',
    },
    when: [where('status', 'eq', 'firing')],
    rules: [resolveWhen('status', 'resolved', 'All alerts of the group {{groupLabels}} are resolved.')],
    dedup_key: '{{groupKey}}',
  },
  grafana: {
    title: 'Grafana',
    setup: 'Add a contact point of the type Webhook with the URL of the webhook. Keep "Disable resolved message" off.',
    action: 'create_incident',
    field_mapping: {
      short_description: groupTitle('Grafana alert'),
      description: `{{message}}\n\n${instances}\n\nGrafana: {{externalURL}}`,
      priority: bySeverity,
      category: 'monitoring',
    },
    when: [where('status', 'eq', 'firing')],
    rules: [resolveWhen('status', 'resolved', 'All alerts of the group {{groupLabels}} are resolved.')],
    dedup_key: '{{orgId}} {{groupKey}}',
  },
  cloudwatch: {
    title: 'Amazon CloudWatch alarms through SNS',
    setup:
      'Enter the ARN of the SNS topic of the alarms, then subscribe the URL of the webhook to the topic (protocol HTTPS, ' +
      'raw message delivery off). The subscription is confirmed automatically. Only messages of this topic that SNS signed ' +
      'are accepted. Send both the ALARM and the OK action of an alarm to the topic.',
    action: 'create_incident',
    field_mapping: {
      short_description: 'CloudWatch alarm {{Message.AlarmName | truncate:200}}',
      description:
        '{{Message.AlarmDescription}}\n\n{{Message.NewStateReason}}\n\nAccount {{Message.AWSAccountId}}, {{Message.Region}}',
      category: 'monitoring',
    },
    when: [where('Message.NewStateValue', 'eq', 'ALARM')],
    rules: [resolveWhen('Message.NewStateValue', 'OK', '{{Message.NewStateReason}}')],
    dedup_key: '{{Message.AlarmArn}}',
  },
  datadog: {
    title: 'Datadog',
    setup:
      'Add a webhook in Datadog with the URL of the webhook and this payload: `{"id": "$AGGREG_KEY", "title": ' +
      '"$EVENT_TITLE", "body": "$TEXT_ONLY_MSG", "priority": "$ALERT_PRIORITY", "transition": "$ALERT_TRANSITION", ' +
      '"link": "$LINK", "hostname": "$HOSTNAME"}`. Mention it in the monitor as `@webhook-<name>`.',
    action: 'create_incident',
    field_mapping: {
      short_description: '{{title | truncate:255}}',
      description: '{{body}}\n\nHost: {{hostname}}\nDatadog: {{link}}',
      priority: '{{priority | map:"P1=P1,P2=P2,P3=P3,P4=P4,P5=P4" | default:"P3"}}',
      category: 'monitoring',
    },
    when: [where('transition', 'in', ['Triggered', 'Re-Triggered', 'Warn', 'Re-Warn', 'No Data'])],
    rules: [resolveWhen('transition', 'Recovered', 'Datadog reports that the monitor recovered. {{link}}')],
    dedup_key: '{{id}}',
  },
  sentry: {
    title: 'Sentry',
    setup:
      'Create an internal integration in Sentry with the URL of the webhook and subscribe it to the resource "issue".',
    action: 'create_incident',
    field_mapping: {
      short_description: '{{data.issue.title | truncate:255}}',
      description: '{{data.issue.culprit}}\n\nSentry: {{data.issue.web_url}}',
      priority: '{{data.issue.level | lower | map:"fatal=P1,error=P2,warning=P3,info=P4,debug=P4" | default:"P3"}}',
      category: 'application',
    },
    when: [where('action', 'in', ['created', 'unresolved'])],
    rules: [resolveWhen('action', 'resolved', 'Resolved in Sentry by {{actor.name | default:"Sentry"}}.')],
    dedup_key: '{{data.issue.id}}',
  },
  github: {
    title: 'GitHub',
    canSign: true,
    setup:
      'Add a webhook to the repository with the content type application/json and the events "Issues" and "Workflow ' +
      'runs". Turn the secret on and paste it as the secret of the webhook.',
    action: 'create_incident',
    field_mapping: {
      short_description: '{{repository.full_name}}#{{issue.number}}: {{issue.title | truncate:150}}',
      description: '{{issue.body}}\n\nGitHub: {{issue.html_url}}',
      category: 'application',
    },
    when: [where('issue', 'exists', true), where('action', 'in', ['opened', 'reopened'])],
    rules: [
      {
        when: [where('issue', 'exists', true), where('action', 'eq', 'closed')],
        action: 'resolve_incident',
        field_mapping: { resolution: 'The issue was closed by {{sender.login}}. {{issue.html_url}}' },
      },
      {
        when: [where('workflow_run.conclusion', 'in', ['failure', 'timed_out', 'startup_failure'])],
        action: 'create_incident',
        field_mapping: {
          short_description:
            'Workflow {{workflow_run.name | default:$.workflow.name | truncate:100}} failed on {{workflow_run.head_branch | truncate:100}}',
          description:
            '{{workflow_run.display_title | default:$.workflow_run.head_commit.message}}\n\nGitHub: {{workflow_run.html_url}}',
          category: 'application',
        },
      },
      resolveWhen('workflow_run.conclusion', 'success', 'The workflow succeeded. {{workflow_run.html_url}}'),
    ],
    dedup_key: '{{repository.full_name}} {{issue.number}}{{workflow_run.workflow_id}} {{workflow_run.head_branch}}',
  },
  pagerduty: {
    title: 'PagerDuty Events API v2',
    setup:
      'Replace the address of the Events API (`https://events.pagerduty.com`) in the sender with the URL of the webhook. The ' +
      'URL also works with the path `/v2/enqueue`, which libraries append. The routing key is ignored.',
    action: 'create_incident',
    field_mapping: {
      short_description: '{{$.payload.summary | truncate:255}}',
      description:
        'Source: {{$.payload.source}}\nComponent: {{$.payload.component}}\nDetails: {{$.payload.custom_details}}\n{{client_url}}',
      priority: '{{$.payload.severity | lower | map:"critical=P1,error=P2,warning=P3,info=P4" | default:"P3"}}',
      category: 'monitoring',
    },
    when: [where('event_action', 'eq', 'trigger')],
    rules: [
      resolveWhen('event_action', 'resolve', 'Resolved by the monitoring system.'),
      {
        when: [where('event_action', 'eq', 'acknowledge')],
        action: 'update_incident',
        field_mapping: { state: 'in_progress' },
      },
    ],
    dedup_key: '{{dedup_key}}',
  },
};
