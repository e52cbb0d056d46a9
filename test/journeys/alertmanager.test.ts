import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Api, getApi } from '../support/incidents.ts';
import { findFreePort } from '../support/receivers.ts';
import { type Service, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

// A real Prometheus Alertmanager sends to a webhook with its preset.

const program = ['prometheus-alertmanager', 'alertmanager'].find((name) => !spawnSync(name, ['--version']).error);
if (!program) console.info('Skipped: Alertmanager is not installed (Debian package prometheus-alertmanager).');

(program ? describe : describe.skip)('Prometheus Alertmanager', () => {
  let service: Service;
  let manager: Api;
  let folder: string;
  let stop: () => void = () => {};
  beforeAll(async () => {
    service = await startService();
    manager = await getApi(service, 'manager');
    folder = mkdtempSync(join(tmpdir(), 'alertmanager-'));
  });
  afterAll(async () => {
    stop();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('creates one incident for an alert, reports repeats and resolves it', async () => {
    const { body: webhook } = await manager.post('/webhooks/inbound', { name: 'Prometheus', preset: 'alertmanager' });
    const url = await startAlertmanager(webhook.url);
    const labels = { alertname: 'DiskAlmostFull', severity: 'critical', instance: 'db-1' };
    const annotations = { summary: 'Disk of db-1 is 97% full' };
    await postAlert(url, { labels, annotations });
    const created = await waitForEvent(webhook.id, 'created');
    expect((await manager.get(`/incidents/${created.incident_id}`)).body).toMatchObject({
      short_description: '[DiskAlmostFull] Disk of db-1 is 97% full',
      priority: 'P1',
      state: 'new',
    });
    const repeat = await waitForEvent(webhook.id, 'deduplicated');
    expect(repeat.incident_id).toBe(created.incident_id);
    await postAlert(url, { labels, annotations, endsAt: new Date(Date.now() - 1_000).toISOString() });
    const resolved = await waitForEvent(webhook.id, 'updated');
    expect(resolved.incident_id).toBe(created.incident_id);
    expect((await manager.get(`/incidents/${created.incident_id}`)).body.state).toBe('resolved');
  });

  async function startAlertmanager(webhookUrl: string): Promise<string> {
    const config = join(folder, 'alertmanager.yml');
    writeFileSync(
      config,
      [
        'route: { receiver: service, group_by: [alertname], group_wait: 0s, group_interval: 1s, repeat_interval: 1s }',
        `receivers: [{ name: service, webhook_configs: [{ url: "${webhookUrl}", send_resolved: true }] }]`,
      ].join('\n'),
    );
    const address = `127.0.0.1:${await findFreePort()}`;
    const child = spawn(
      program ?? '',
      [
        `--config.file=${config}`,
        `--storage.path=${join(folder, 'data')}`,
        `--web.listen-address=${address}`,
        '--cluster.listen-address=',
      ],
      { stdio: 'ignore' },
    );
    stop = () => child.kill('SIGKILL');
    await waitFor(() => fetch(`http://${address}/-/ready`).then(({ ok }) => ok || undefined));
    return `http://${address}`;
  }

  async function postAlert(url: string, alert: object): Promise<void> {
    const { status } = await fetch(`${url}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([alert]),
    });
    expect(status).toBe(200);
  }

  function waitForEvent(webhookId: string, status: string): Promise<{ incident_id: string }> {
    return waitFor(async () => {
      const { body } = await manager.get(`/webhooks/inbound/${webhookId}/events`);
      return body.data.find((event: { status: string }) => event.status === status);
    });
  }
});

/** Asks again until there is a value; another program sets the pace here. */
async function waitFor<T>(read: () => Promise<T | undefined>): Promise<T> {
  const isThere = (value: T | undefined) => value !== undefined;
  return (await until(() => read().catch(() => undefined), isThere)) as T;
}
