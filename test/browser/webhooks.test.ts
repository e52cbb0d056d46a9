import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { call, tokenOf } from '../support/http.ts';
import { type Service, startService } from '../support/service.ts';
import { findChromium, launchChromium, reportMissingChromium } from './chromium.ts';
import { personWith, signIn, visit } from './console-visit.ts';

const executable = findChromium();

describe('webhooks in the console', () => {
  if (executable) inBrowser(executable);
  else it('are not tested without a browser', () => reportMissingChromium());
});

function inBrowser(executablePath: string) {
  let service: Service;
  let browser: Browser;
  let receiver: Server;
  let received: string[];
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), launchChromium(executablePath)]);
    receiver = createServer((request, response) => {
      received.push(String(request.headers['x-service-event']));
      response.writeHead(received.length === 1 ? 503 : 200).end('thank you');
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    received = [];
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await new Promise((resolve) => receiver.close(resolve));
  });

  const signedIn = async (path: string, role = 'itsm_manager', options = {}) => {
    const visitor = await visit(browser, service, path, options);
    await signIn(visitor.page, personWith(service, role));
    return visitor;
  };

  it('lets a manager make an inbound webhook, try it, use it, and look at what came in', async () => {
    const { page, complaints } = await signedIn('webhooks/inbound');
    await page.getByRole('link', { name: 'Create inbound webhook' }).first().click();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('A name is required.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Grafana');
    await page.getByLabel('Template of priority').fill('{{severity');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText(/at position 1, \{\{ is not closed/).waitFor();
    await page.getByLabel('Template of priority').fill('{{severity | map:"critical=P1" | default:"P3"}}');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('heading', { name: 'Grafana' }).waitFor();
    const secret = (await page.getByTestId('secret').innerText()).trim();
    expect(secret).toMatch(/^whsec_/);

    await page.getByRole('tab', { name: 'Lab' }).click();
    await page.getByLabel('JSON').fill('{"title": "Disk full", "severity": "critical"}');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('Disk full', { exact: false }).last().waitFor();
    await page.getByText('Created', { exact: true }).waitFor();
    await page.getByLabel('JSON').fill('{"title": ');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText(/This is not JSON/).waitFor();

    const url = `${service.baseUrl}/prod/api/webhooks/inbound/${new URL(page.url()).pathname.split('/').at(-1)}`;
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
    expect((await send('{"nothing": true}')).status).toBe(422);
    await page.getByRole('tab', { name: 'Received events' }).click();
    const rows = page.getByRole('table', { name: 'Received events' }).getByRole('row');
    await rows.nth(2).waitFor();
    expect(await rows.nth(1).innerText()).toContain('Failed');
    expect(await rows.nth(2).innerText()).toMatch(/Created.*INC/s);
    await rows.nth(1).getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Received event' }).waitFor();
    await page.getByText('"nothing": true').waitFor();
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('The event does not make a valid incident').waitFor();
    expect(complaints.filter((complaint) => !complaint.includes('status of 4'))).toEqual([]);
  });

  it('lets a manager make an outbound webhook, ping it, and see attempts and replays', async () => {
    const { page, complaints } = await signedIn('webhooks/outbound');
    await page.getByRole('link', { name: 'Create outbound webhook' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Chat');
    await page.getByLabel('Address').fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`);
    await page.getByRole('button', { name: 'Choose events' }).click();
    await page.getByRole('option', { name: /incident\.created/ }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('heading', { name: 'Chat' }).waitFor();
    expect(await page.getByTestId('secret').innerText()).toContain('whsec_');
    await page.getByRole('button', { name: 'Send a ping' }).click();
    await page.getByRole('heading', { name: 'Delivery of ping' }).waitFor();
    const attempts = page.getByRole('table', { name: 'Attempts' });
    await attempts.getByText('503', { exact: true }).waitFor();
    expect(received).toEqual(['ping']);

    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ short_description: 'Told to the chat' });
    await call(service, '/incidents', { method: 'POST', headers, body, token: await tokenOf(service, 'agent') });
    await service.advance('1s');
    await page.getByRole('link', { name: /^wh_out_/ }).click();
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    const deliveries = page.getByRole('table', { name: 'Deliveries' });
    await deliveries.getByText('incident.created').waitFor();
    await deliveries.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Delivery of incident.created' }).waitFor();
    await page.getByText('Told to the chat').waitFor();
    await attempts.getByText('200', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('link', { name: 'the first delivery' }).waitFor();
    await attempts.getByText('200', { exact: true }).waitFor();
    expect(received).toEqual(['ping', 'incident.created', 'incident.created']);
    expect(complaints).toEqual([]);
  });

  it('tells others that webhooks are for managers', async () => {
    const { page } = await signedIn('webhooks/inbound', 'viewer');
    await page.getByText('Webhooks need the role Manager.').waitFor();
  });
}
