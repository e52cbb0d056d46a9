import alertmanager from '../../../contract/preset-samples/alertmanager-firing.json' with { type: 'json' };
import cloudwatch from '../../../contract/preset-samples/cloudwatch-alarm.json' with { type: 'json' };
import datadog from '../../../contract/preset-samples/datadog-triggered.json' with { type: 'json' };
import github from '../../../contract/preset-samples/github-issue-opened.json' with { type: 'json' };
import grafana from '../../../contract/preset-samples/grafana-firing.json' with { type: 'json' };
import pagerduty from '../../../contract/preset-samples/pagerduty-trigger.json' with { type: 'json' };
import sentry from '../../../contract/preset-samples/sentry-created.json' with { type: 'json' };

/** What each system sends when an alert fires. */
export const presetSamples = { alertmanager, cloudwatch, datadog, github, grafana, pagerduty, sentry };
