import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { promisify } from 'node:util';
import { topic_arn } from '../../support/alerts.ts';
import { anIncident } from '../../support/incidents.ts';
import { aReceiver, aWebhook } from '../../support/receivers.ts';
import { inConsole } from '../in-console.ts';

const run = promisify(execFile);

inConsole('webhooks in the console', (the) => {
  it('lets a manager create, test and use an inbound webhook, and view received events', async () => {
    const { page, complaints } = await the.signedIn('webhooks/inbound');
    await page.getByRole('link', { name: 'Create inbound webhook' }).first().click();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('Enter a name.', { exact: true }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Grafana');
    await page.getByLabel('Template for priority').fill('{{severity');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText(/at position 1, \{\{ is not closed/).waitFor();
    await page.getByLabel('Template for priority').fill('{{severity | map:"critical=P1" | default:"P3"}}');
    await page.getByRole('button', { name: 'Test before you save' }).click();
    await page.getByLabel('JSON').fill('{"title": "Not stored", "severity": "critical"}');
    const readFont = 'getComputedStyle(document.activeElement).fontFamily';
    expect(await page.evaluate<string>(readFont)).toContain('monospace');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('Would create', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('heading', { name: 'Grafana' }).waitFor();
    const command = await page.getByTestId('sample-command').innerText();
    const secret = (await page.getByTestId('secret').innerText()).trim();
    expect(secret).toMatch(/^whsec_/);

    await page.getByRole('tab', { name: 'Test', exact: true }).click();
    await page.getByLabel('JSON').fill('{"title": "Disk full", "severity": "critical"}');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('Disk full', { exact: false }).last().waitFor();
    await page.getByText('Would create', { exact: true }).waitFor();
    await page.getByLabel('JSON').fill('{"title": ');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText(/Invalid JSON/).waitFor();
    expect(await page.getByText('Would create', { exact: true }).count()).toBe(0);

    const url = `${the.service.baseUrl}/prod/api/webhooks/inbound/${new URL(page.url()).pathname.split('/').at(-1)}`;
    const send = (body: string) =>
      fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-service-signature': createHmac('sha256', secret).update(body).digest('hex'),
        },
        body,
      });
    expect((await send('{"title": "Real alert"}')).status).toBe(202);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    await page.getByRole('tab', { name: 'Rejected calls' }).click();
    await page.getByText('The call had neither a signature nor an access token.').waitFor();
    const { stdout } = await run('bash', ['-c', command], { timeout: 30_000 });
    expect(JSON.parse(stdout)).toMatchObject({ status: 'created' });
    expect((await send('{"nothing": true}')).status).toBe(422);
    await page.getByRole('tab', { name: 'Received events' }).click();
    const rows = page.getByRole('table', { name: 'Received events' }).getByRole('row');
    await rows.nth(3).waitFor();
    expect(await rows.nth(1).innerText()).toContain('Failed');
    expect(await rows.nth(3).innerText()).toMatch(/Created.*INC/s);
    await rows.nth(1).getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Received event' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Grafana' }).waitFor();
    await page.getByText('"nothing": true').waitFor();
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('Mapping failed').waitFor();
    expect(complaints.filter((complaint) => !complaint.includes('status of 4'))).toEqual([]);
  });

  it('asks for the topic of CloudWatch alarms, and adds filters to the conditions of the preset', async () => {
    const { page, complaints } = await the.signedIn('webhooks/inbound/new');
    await page.getByLabel('Name', { exact: true }).fill('AWS');
    expect(await page.getByLabel('Topic ARN').count()).toBe(0);
    await page.getByRole('button', { name: /Preset/ }).click();
    await page.getByRole('option', { name: /CloudWatch/ }).click();
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByRole('textbox', { name: 'Field' }).first().fill('Message.Region');
    await page.getByRole('textbox', { name: 'Value' }).first().fill('EU (Frankfurt)');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('Enter the ARN of the topic.', { exact: true }).waitFor();
    await page.getByLabel('Topic ARN').fill(topic_arn);
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('heading', { name: 'AWS', exact: true }).waitFor();
    await page.getByText(topic_arn, { exact: true }).waitFor();
    const listed = await page.getByRole('listitem').allInnerTexts();
    expect(listed).toEqual(
      expect.arrayContaining(['Message.NewStateValue is ALARM', 'Message.Region is EU (Frankfurt)']),
    );
    expect(complaints).toEqual([]);
  });

  it('lets a manager create and ping an outbound webhook, and view attempts and replays', async () => {
    const receiver = await aReceiver((_request, number) => (number === 1 ? 503 : 200));
    const events = () => receiver.received.map(({ headers }) => headers['x-service-event']);
    const { page, complaints } = await the.signedIn('webhooks/outbound');
    await page.getByRole('link', { name: 'Create outbound webhook' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Chat');
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByRole('button', { name: 'Choose events' }).click();
    await page.getByRole('option', { name: /incident\.created/ }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('heading', { name: 'Chat' }).waitFor();
    expect(await page.getByTestId('secret').innerText()).toContain('whsec_');
    await page.getByRole('button', { name: 'Send ping' }).click();
    await page.getByRole('heading', { name: 'ping delivery' }).waitFor();
    const attempts = page.getByRole('table', { name: 'Attempts' });
    await attempts.getByText('503', { exact: true }).waitFor();
    expect(events()).toEqual(['ping']);

    await anIncident(await the.api('agent'), { short_description: 'Told to the chat' });
    await receiver.until(2);
    await the.service.advance('1s');
    await page.getByRole('link', { name: 'Chat', exact: true }).click();
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    const deliveries = page.getByRole('table', { name: 'Deliveries' });
    await deliveries.getByText('incident.created').waitFor();
    await deliveries.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'incident.created delivery' }).waitFor();
    await page.getByText('Told to the chat').waitFor();
    await attempts.getByText('200', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('link', { name: 'original delivery' }).waitFor();
    await attempts.getByText('200', { exact: true }).waitFor();
    expect(events()).toEqual(['ping', 'incident.created', 'incident.created']);
    await page.getByRole('link', { name: 'Chat', exact: true }).click();
    await page.getByText('Success of the latest 3 deliveries.').waitFor();
    await page.getByText('2 of 3', { exact: true }).waitFor();
    const tab = await the.signedIn('');
    const health = page.locator('.queue-row').filter({ has: page.getByRole('link', { name: 'Chat', exact: true }) });
    await health.getByText('66%').waitFor();
    expect(await health.innerText()).toContain('returned 503');
    await page.getByText('1 of 1 active; success of the latest deliveries').waitFor();
    await the.move(tab, 'webhooks/outbound');
    const row = page.getByRole('row', { name: /Chat/ });
    await row.getByText('66%').waitFor();
    expect(await row.innerText()).toMatch(/\d+ ms/);
    await row.getByRole('link', { name: 'returned 503' }).click();
    await page.getByRole('heading', { name: 'ping delivery' }).waitFor();
    await receiver.stop();
    expect(complaints).toEqual([]);
  });

  it('warns before and after saving that a new receiver gets a new secret and no stored headers', async () => {
    const manager = await the.api('manager');
    const webhook = await aWebhook(manager, { url: 'https://hooks.example.com/in' }, { headers: { 'X-Room': 'mail' } });
    const { page } = await the.signedIn(`webhooks/outbound/${webhook.id}/edit`);
    const warning = page.getByText('This URL belongs to a different receiver');
    await page.getByLabel('URL').fill('https://hooks.example.com/other');
    expect(await warning.count()).toBe(0);
    await page.getByLabel('URL').fill('https://chat.example.net/in');
    await warning.waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('these headers were dropped: X-Room').waitFor();
  });

  it('shows the required role of a page without a rejected request', async () => {
    const { page, complaints } = await the.signedIn('webhooks/inbound', 'viewer');
    await page.getByText('Permission required').waitFor();
    await page.getByText('You need the Manager role to manage webhooks.').waitFor();
    expect(await page.getByRole('link', { name: 'Outbound webhooks' }).count()).toBe(0);
    await the.signedIn('incidents/new', 'viewer');
    await page.getByText('You need the Agent role to create or edit incidents.').waitFor();
    expect(complaints).toEqual([]);
  });
});
