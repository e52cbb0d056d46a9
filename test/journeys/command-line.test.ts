import { spawn } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { packCli } from '../../bin/build-packages.ts';
import { verifyWebhook } from '../../client/index.ts';
import { createProject, type Project } from '../support/packages.ts';
import { aReceiver } from '../support/receivers.ts';
import { type Service, startService } from '../support/service.ts';

// The command line as its users get it: packed, installed into an empty project, and run against a service.

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

let project: Project;
let service: Service;
let config: string;
beforeAll(async () => {
  const [cli, started] = await Promise.all([packCli(), startService()]);
  service = started;
  project = await createProject([cli.tarball]);
  config = join(project.folder, 'config/config.json');
  const credentials = join(service.dataFolder, 'credentials.json');
  expect(await itsm(['login', '--credentials', credentials, '--as', 'manager'])).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await service?.stop();
  rmSync(project.folder, { recursive: true, force: true });
});

function itsm(args: readonly string[], { input = '', environment = {} } = {}): Promise<Outcome> {
  const { NODE_OPTIONS: _jestOnly, ...inherited } = process.env;
  const child = spawn(join(project.folder, 'node_modules/.bin/itsm'), args, {
    cwd: project.folder,
    env: { ...inherited, ITSM_CONFIG: config, ...environment },
    timeout: 120_000,
  });
  child.stdin.end(input);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

async function json(args: readonly string[]) {
  const { code, stdout, stderr } = await itsm([...args, '--json']);
  if (code !== 0) throw new Error(`itsm ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

const file = (name: string) => join(project.folder, name);

describe('itsm', () => {
  it('saves its settings for their owner only', () => {
    expect(statSync(config).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(config, 'utf8'))).toMatchObject({ baseUrl: service.baseUrl });
  });

  it('keeps the saved key when a login fails', async () => {
    const before = readFileSync(config, 'utf8');
    const key = `itsm_${Buffer.from('nobody:wrong').toString('base64url')}`;
    const failed = await itsm(['login', '--url', service.baseUrl, '--key', '-'], { input: `${key}\n` });
    expect(failed).toMatchObject({ code: 3, stdout: '' });
    expect(readFileSync(config, 'utf8')).toBe(before);
  });

  it('takes an incident through its life', async () => {
    const [created] = await json(['incidents', 'create', 'Mail is down', '--priority', 'P2', '--category', 'email']);
    expect(created).toMatchObject({ short_description: 'Mail is down', priority: 'P2', state: 'new' });
    await json(['notes', 'add', created.id, 'Looking at the queue']);
    await json(['incidents', 'update', created.id, '--assignment-group', 'messaging', '--note', 'Moved']);
    const [resolved] = await json(['incidents', 'resolve', created.id, '--resolution', 'Restarted the relay']);
    expect(resolved).toMatchObject({ state: 'resolved', resolution: 'Restarted the relay', work_notes_count: 2 });
    const { stdout } = await itsm(['incidents', 'list', '--category', 'email']);
    expect(stdout).toMatch(/^ID +PRIORITY +STATE/);
    expect(stdout).toContain(`${created.id}  P2        resolved  messaging`);
  });

  it('reports mistakes, unknown records and missing services with their exit codes', async () => {
    expect(await itsm(['incidents', 'create', 'x', '--colour', 'red'])).toMatchObject({ code: 2, stdout: '' });
    expect(await itsm(['incidents', 'get'])).toMatchObject({ code: 2 });
    expect(await itsm(['fly'])).toMatchObject({ code: 2 });
    const unknown = await itsm(['incidents', 'get', 'INC0000000']);
    expect(unknown.code).toBe(4);
    expect(unknown.stderr).toMatch(/^not_found: .*\n {2}request [\w-]{36}/);
    const invalid = await itsm(['incidents', 'create', 'x', '--priority', 'P9']);
    expect(invalid).toMatchObject({ code: 1, stderr: expect.stringContaining('  priority must be one of') });
    const environment = { ITSM_URL: 'http://127.0.0.1:9', ITSM_API_KEY: 'itsm_YTpi' };
    expect(await itsm(['doctor'], { environment })).toMatchObject({ code: 1 });
    expect(await itsm(['incidents', 'list'], { environment })).toMatchObject({ code: 5 });
  });

  it('imports NDJSON with states, writes what failed to a file that can be corrected and imported', async () => {
    const records = [
      { short_description: 'First', state: 'closed', resolution: 'Done' },
      { short_description: 'Second', priority: 'P7' },
      { short_description: 'Third', state: 'on_hold' },
    ];
    writeFileSync(file('in.ndjson'), records.map((record) => JSON.stringify(record)).join('\n'));
    const first = await itsm(['import', 'in.ndjson', '--json']);
    expect(first.code).toBe(1);
    expect(JSON.parse(first.stdout)).toMatchObject({ total: 3, succeeded: 2, failed: 1 });
    const errors = readFileSync(file('in.ndjson.errors.ndjson'), 'utf8');
    expect(JSON.parse(errors)).toMatchObject({ line: 2, record: { short_description: 'Second' } });
    writeFileSync(file('in.ndjson.errors.ndjson'), errors.replace('P7', 'P1'));
    expect((await itsm(['import', 'in.ndjson.errors.ndjson'])).stdout).toBe('Imported 1 incidents\n');
    // The same content again is the same job.
    await itsm(['import', 'in.ndjson']);
    const states = (await json(['incidents', 'list'])).map((one) => `${one.short_description} ${one.state}`);
    expect(states.filter((one) => /^(First|Second|Third)/.test(one)).sort()).toEqual([
      'First closed',
      'Second new',
      'Third on_hold',
    ]);
  });

  it('exports CSV that it can import', async () => {
    const tricky = '=1+1, "quoted"';
    await json(['incidents', 'create', tricky, '--category', 'csv', '--description', 'Line 1\nLine 2']);
    const [{ count }] = await json(['export', 'out.csv', '--category', 'csv']);
    expect(count).toBe(1);
    expect(readFileSync(file('out.csv'), 'utf8')).toContain(`"'=1+1, ""quoted"""`);
    expect((await itsm(['import', 'out.csv'])).code).toBe(0);
    const copies = await json(['incidents', 'list', '--category', 'csv']);
    expect(copies.map((one) => [one.short_description, one.description])).toEqual([
      [tricky, 'Line 1\nLine 2'],
      [tricky, 'Line 1\nLine 2'],
    ]);
  });

  it('imports exports of ServiceNow and PagerDuty', async () => {
    const serviceNow =
      'number,short_description,priority,state,category,assignment_group,opened_at,close_notes\n' +
      'INC0010023,"VPN is slow, again",2 - High,Resolved,Network,Network Team,2026-02-01 08:00:00,Replaced the switch\n';
    writeFileSync(file('servicenow.csv'), serviceNow);
    const incidents = [
      { incident_number: 77, title: 'Disk full', status: 'acknowledged', urgency: 'high', service: { summary: 'db' } },
    ];
    writeFileSync(file('pagerduty.json'), JSON.stringify({ incidents }));
    expect((await itsm(['import', 'servicenow', 'servicenow.csv'])).stdout).toBe('Imported 1 incidents\n');
    expect((await itsm(['import', 'pagerduty', 'pagerduty.json'])).stdout).toBe('Imported 1 incidents\n');
    const [vpn] = await json(['incidents', 'list', '--category', 'Network']);
    expect(vpn).toMatchObject({ priority: 'P2', state: 'resolved', resolution: 'Replaced the switch' });
    expect(vpn.description).toBe('Imported from ServiceNow, INC0010023, opened 2026-02-01 08:00:00');
    const [disk] = await json(['incidents', 'list', '--category', 'db']);
    expect(disk).toMatchObject({
      short_description: 'Disk full',
      priority: 'P2',
      state: 'in_progress',
      urgency: 'high',
    });
  });

  it('forwards events to a receiver, signed like a delivery', async () => {
    const receiver = await aReceiver();
    const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDJDTCqmTCTjI=';
    const [{ id }] = await json(['incidents', 'create', 'Forwarded']);
    await service.advance('0s');
    const args = ['events', 'tail', '--record', id, '--after', '0', '--max', '1', '--forward', receiver.url];
    const [forwarded] = await json([...args, '--secret', secret]);
    expect(forwarded).toMatchObject({ event: 'incident.created', forwarded: '200' });
    const [request] = receiver.received;
    const event = await verifyWebhook(request?.bytes ?? '', request?.headers ?? {}, secret);
    expect(event.data.id).toBe(id);
    await receiver.stop();
  });

  it('finds nothing wrong with a service that runs', async () => {
    const checks = await json(['doctor']);
    expect(checks.map(({ check, status }) => `${check} ${status}`)).toEqual([
      'token ok',
      'clock ok',
      'permissions ok',
      'latency ok',
      'rate limit ok',
    ]);
  });

  it('completes commands in bash', async () => {
    const { stdout } = await itsm(['completion', 'bash']);
    const ask = `${stdout}\nCOMP_WORDS=(itsm incidents re); COMP_CWORD=2; _itsm; echo "\${COMPREPLY[@]}"`;
    expect(await project.run('bash', ['-c', ask])).toBe('resolve\n');
  });
});

describe('itsm mcp', () => {
  async function connect(args: readonly string[]) {
    const { NODE_OPTIONS: _jestOnly, ...inherited } = process.env;
    const transport = new StdioClientTransport({
      command: join(project.folder, 'node_modules/.bin/itsm'),
      args: ['mcp', ...args],
      env: { ...(inherited as Record<string, string>), ITSM_CONFIG: config },
      stderr: 'inherit',
    });
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(transport);
    const call = async (name: string, input: Record<string, unknown>) => {
      const { content, isError } = await client.callTool({ name, arguments: input });
      const [{ text = '' } = {}] = content as { text?: string }[];
      return { text, isError: isError === true };
    };
    return { client, call };
  }

  it('offers only tools that read', async () => {
    const { client, call } = await connect([]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['list_incidents', 'get_incident', 'ask_knowledge']),
    );
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    expect(await call('create_incident', { short_description: 'No' })).toMatchObject({ isError: true });
    const [created] = await json(['incidents', 'create', 'Seen by an agent', '--category', 'mcp']);
    const listed = await call('list_incidents', { category: 'mcp' });
    expect(JSON.parse(listed.text).data[0].id).toBe(created.id);
    const shown = await call('get_incident', { id: created.id });
    expect(JSON.parse(shown.text)).toMatchObject({
      incident: { id: created.id },
      notes: [],
      sla: { clock: 'running' },
    });
    const unknown = await call('get_incident', { id: 'INC0000000' });
    expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining('404 not_found') });
    await client.close();
  });

  it('writes when it is started with --write', async () => {
    const { client, call } = await connect(['--write']);
    const created = JSON.parse((await call('create_incident', { short_description: 'By an agent' })).text);
    await call('add_work_note', { id: created.id, body: 'On it' });
    const rejected = await call('update_incident', { id: created.id, state: 'closed' });
    expect(rejected).toMatchObject({ isError: true, text: expect.stringContaining('409 invalid_transition') });
    const updated = JSON.parse((await call('update_incident', { id: created.id, state: 'in_progress' })).text);
    expect(updated).toMatchObject({ state: 'in_progress', work_notes_count: 1 });
    await client.close();
  });
});
