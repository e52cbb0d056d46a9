import { outboundFormats } from '../../../../contract/outbound-webhook-schemas.ts';
import { formatPayload, toContentType } from '../../../../lambdas/webhooks/outbound/delivery.ts';

const event = {
  event: 'incident.priority_changed',
  timestamp: '2026-03-01T10:12:45.318Z',
  service_instance: 'prod',
  data: {
    id: 'INC7Q2M4KX',
    short_description: 'Mail <b>fails</b> & [waits](http://x)',
    priority: 'P2',
    state: 'in_progress',
    url: 'https://desk.acme.test/prod/api/v1/incidents/INC7Q2M4KX',
  },
};
const format = (name: (typeof outboundFormats)[number] | undefined, changed: object = {}) =>
  JSON.parse(formatPayload(name, 'evt_1', JSON.stringify({ ...event, ...changed })));

describe('formatPayload', () => {
  it('leaves the body as it is for webhooks with no other format', () => {
    expect(formatPayload('service', 'evt_1', 'text')).toBe('text');
    expect(formatPayload(undefined, 'evt_1', 'text')).toBe('text');
    expect(toContentType(undefined)).toBe('application/json');
  });

  it('wraps the data in CloudEvents 1.0', () => {
    expect(format('cloudevents')).toEqual({
      specversion: '1.0',
      id: 'evt_1',
      source: '/incident-service/prod',
      type: 'incident.priority_changed',
      subject: 'INC7Q2M4KX',
      time: event.timestamp,
      datacontenttype: 'application/json',
      data: event.data,
    });
    expect(toContentType('cloudevents')).toMatch(/^application\/cloudevents\+json/);
  });

  it('writes a Slack message with escaped text and a link to the console', () => {
    const { text, blocks } = format('slack');
    expect(text).toBe('Incident priority changed INC7Q2M4KX Mail &lt;b&gt;fails&lt;/b&gt; &amp; [waits](http://x)');
    expect(blocks[0].text.text).toContain('<https://desk.acme.test/console/incidents/INC7Q2M4KX|INC7Q2M4KX>');
    expect(blocks[1].elements[0].text).toBe('Priority: *P2*   State: *in progress*');
  });

  it('writes a card for Microsoft Teams with escaped Markdown', () => {
    const { attachments } = format('teams');
    const { body, actions } = attachments[0].content;
    expect(body[0].text).toBe('Incident priority changed: INC7Q2M4KX');
    expect(body[1].text).toBe('Mail <b>fails</b> & \\[waits\\]\\(http://x\\)');
    expect(actions[0].url).toBe('https://desk.acme.test/console/incidents/INC7Q2M4KX');
  });

  it.each(outboundFormats)('formats a ping: %s', (name) => {
    const url = 'https://desk.acme.test/prod/api/v1/webhooks/outbound/wh_out_1';
    expect(format(name, { event: 'ping', data: { id: 'wh_out_1', url } })).toBeTruthy();
  });

  it('links configuration items to their page in the console', () => {
    const data = { id: 'CI1', name: 'db-1', url: 'https://desk.acme.test/prod/api/v1/cmdb/cis/CI1' };
    expect(format('slack', { event: 'ci.discovered', data }).blocks[0].text.text).toContain('/console/cis/CI1|');
  });
});
