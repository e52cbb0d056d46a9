import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { operationTable, verifyWebhook } from '../../client/index.ts';
import { commandLineRedirectUris } from '../../lib/user-pool.ts';
import { aSignal, type RunOptions, runInProcess } from '../support/command-line.ts';
import { getApi } from '../support/incidents.ts';
import { createProject, type Project, packWorkspace } from '../support/packages.ts';
import { createPerson, type Person, submitSignIn } from '../support/people.ts';
import { aReceiver } from '../support/receivers.ts';
import { type Service, startService } from '../support/service.ts';

// The command line against a service. Most commands run in this process, which is cheaper; the package is also installed into
// an empty project and run from there.

let project: Project;
let service: Service;
let config: string;
beforeAll(async () => {
  const [cli, started] = await Promise.all([packWorkspace('cli'), startService()]);
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

const itsm = (args: readonly string[], options: RunOptions = {}) =>
  runInProcess(args, { ...options, environment: { ITSM_CONFIG: config, ...options.environment } });

/** The installed program. */
async function runInstalled(args: readonly string[]): Promise<string> {
  const { NODE_OPTIONS: _jestOnly, ...inherited } = process.env;
  const options = { cwd: project.folder, env: { ...inherited, ITSM_CONFIG: config }, timeout: 120_000 };
  return (await promisify(execFile)(join(project.folder, 'node_modules/.bin/itsm'), args, options)).stdout;
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
    const failed = await itsm(['login', '--url', service.baseUrl, '--key', '-'], {
      stdin: Readable.from([`${key}\n`]),
    });
    expect(failed).toMatchObject({ code: 3, stdout: '' });
    expect(readFileSync(config, 'utf8')).toBe(before);
  });

  it('creates, updates and resolves an incident', async () => {
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

  it('creates a known error, links its incidents and resolves them with it', async () => {
    const [problem] = await json([
      'problems',
      'create',
      'Queue fills up',
      '--workaround',
      'Restart',
      '--known-error',
      'true',
    ]);
    expect(problem).toMatchObject({ state: 'new', known_error: true, workaround: 'Restart' });
    const create = async (summary: string) => (await json(['incidents', 'create', summary]))[0].id as string;
    const [original, duplicate] = [await create('No mail'), await create('Mail is missing')];
    for (const id of [original, duplicate]) await json(['incidents', 'update', id, '--parent-problem-id', problem.id]);
    await json(['links', 'add', duplicate, 'duplicate_of', original]);
    await json(['notes', 'add', problem.id, 'Seen twice']);
    await service.advance('0s');
    const listed = (await json(['problems', 'incidents', problem.id])).map(({ id }) => id);
    expect(listed.sort()).toEqual([original, duplicate].sort());
    expect((await itsm(['links', 'list', original])).stdout).toContain(`duplicated_by  ${duplicate}`);
    await json(['links', 'remove', duplicate, original]);
    expect(await json(['links', 'list', original])).toEqual([]);
    const outcome = await itsm(['problems', 'resolve', problem.id, '--incidents', '--resolution', 'Bigger disk']);
    expect(outcome).toMatchObject({ code: 0, stdout: `Resolved ${problem.id} and 2 of 2 open incidents\n` });
    expect(await json(['incidents', 'get', duplicate])).toMatchObject([
      { state: 'resolved', resolution: 'Bigger disk' },
    ]);
    await service.advance('0s');
    expect(await json(['problems', 'list', '--state', 'resolved', '--known-error', 'true'])).toMatchObject([
      { id: problem.id },
    ]);
    const mistakes = [
      ['problems', 'create', 'x', '--known-error', 'maybe'],
      ['problems', 'update', problem.id, '--known-error', 'true', '--workaround', ''],
      ['problems', 'update', problem.id, '--state', 'new'],
      ['links', 'add', duplicate, 'resembles', original],
      ['problems', 'candidates', '--days', '0'],
    ];
    const outcomes = await Promise.all(mistakes.map((args) => itsm(args)));
    expect(outcomes.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1]);
    expect(outcomes.map(({ stderr }) => stderr)).toEqual([
      expect.stringContaining('known_error must be'),
      expect.stringContaining('known_error requires root_cause or workaround'),
      expect.stringContaining('allowed: closed'),
      expect.stringContaining('type must be one of'),
      expect.stringContaining('days must be'),
    ]);
  });

  it('attaches files to a note and saves them', async () => {
    const [{ id }] = await json(['incidents', 'create', 'With a log']);
    writeFileSync(file('relay.log'), 'connection refused\n');
    const [note] = await json(['attach', id, file('relay.log'), '--note', 'See the log.']);
    expect(note).toMatchObject({ body: 'See the log.', attachments: [{ filename: 'relay.log', size_bytes: 19 }] });
    const saved = await itsm(['download', note.attachments[0].id, file('copy.log')]);
    expect(saved).toMatchObject({ code: 0, stdout: `Saved ${file('copy.log')} (19 bytes)\n` });
    expect(readFileSync(file('copy.log'), 'utf8')).toBe('connection refused\n');
    const mistakes = [
      ['attach', id, 'tool.exe'],
      ['attach', id, 'missing.log'],
      ['download', 'att_unknown'],
    ];
    const outcomes = await Promise.all(mistakes.map((args) => itsm(args)));
    expect(outcomes.map(({ code }) => code)).toEqual([2, 2, 4]);
  });

  it('reports usage errors, unknown records and missing services with exit codes', async () => {
    expect(await itsm(['incidents', 'create', 'x', '--colour', 'red'])).toMatchObject({ code: 2, stdout: '' });
    expect(await itsm(['incidents', 'get'])).toMatchObject({ code: 2 });
    expect(await itsm(['fly'])).toMatchObject({ code: 2 });
    const unknown = await itsm(['incidents', 'get', 'INC0000000']);
    expect(unknown.code).toBe(4);
    expect(unknown.stderr).toMatch(/^not_found: .*\n {2}request [\w-]{36}\n {2}see http/);
    const page = await fetch(/see (\S+)/.exec(unknown.stderr)?.[1] ?? '');
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('id="not_found"')]);
    const invalid = await itsm(['incidents', 'create', 'x', '--priority', 'P9']);
    expect(invalid).toMatchObject({ code: 1, stderr: expect.stringContaining('  priority must be one of') });
    const environment = { ITSM_URL: 'http://127.0.0.1:9', ITSM_API_KEY: 'itsm_YTpi' };
    const commands = [['doctor'], ['incidents', 'list']];
    const outcomes = await Promise.all(commands.map((args) => itsm(args, { environment })));
    expect(outcomes.map(({ code }) => code)).toEqual([1, 5]);
  });

  const writeLines = (name: string, records: readonly object[]) =>
    writeFileSync(file(name), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const importFile = async (...args: readonly string[]) =>
    JSON.parse((await itsm(['import', ...args, '--json'])).stdout);
  const listStates = async (category: string) =>
    (await json(['incidents', 'list', '--category', category]))
      .map((one) => `${one.short_description} ${one.state}`)
      .sort();

  it('imports every state, once, and writes failed records to a file for correction', async () => {
    const states = ['new', 'in_progress', 'on_hold', 'resolved', 'closed', 'cancelled', 'reopened'];
    const records = [
      ...states.map((state) => ({ short_description: `In`, state, category: 'states' })),
      { short_description: 'Bad priority', priority: 'P7', category: 'states' },
      { short_description: 'Bad state', state: 'Pending Vendor', category: 'states' },
      { short_description: 'Twin', category: 'states' },
      { short_description: 'Twin', category: 'states' },
    ];
    writeLines('in.ndjson', records);
    expect(await importFile(file('in.ndjson'), '--dry-run')).toMatchObject({ new: 9, already_there: 0, failed: 2 });
    expect(await listStates('states')).toEqual([]);
    expect(existsSync(file('in.ndjson.errors.ndjson'))).toBe(false);

    const first = await itsm(['import', file('in.ndjson')]);
    expect(first).toMatchObject({ code: 1, stdout: '9 new, 0 already there, 2 failed\n' });
    expect(first.stderr).toContain('line 9: state must be one of new, in_progress');
    const imported = [...states.map((state) => `In ${state}`), 'Twin new', 'Twin new'].sort();
    expect(await listStates('states')).toEqual(imported);

    const errors = readFileSync(file('in.ndjson.errors.ndjson'), 'utf8');
    writeFileSync(
      file('in.ndjson.errors.ndjson'),
      errors.replace('"P7"', '"P1"').replace('"state":"Pending Vendor"', '"state":"on_hold"'),
    );
    expect(await importFile(file('in.ndjson.errors.ndjson'))).toMatchObject({ new: 2, already_there: 0, failed: 0 });
    expect(existsSync(file('in.ndjson.errors.ndjson'))).toBe(false);

    // A row in front moves all others.
    writeLines('in.ndjson', [{ short_description: 'Inserted', category: 'states' }, ...records.slice(0, 7)]);
    const everything = [...imported, 'Bad priority new', 'Bad state on_hold', 'Inserted new'].sort();
    expect(await importFile(file('in.ndjson'))).toMatchObject({ new: 1, already_there: 7, failed: 0 });
    expect(await listStates('states')).toEqual(everything);
  });

  it('continues an import that stopped, and keeps what people changed since', async () => {
    const records = [
      { external_id: 'A-1', short_description: 'Stopped', state: 'reopened', category: 'repeats' },
      { external_id: 'A-2', short_description: 'Continued', state: 'on_hold', category: 'repeats' },
    ];
    writeLines('repeat.ndjson', [{ ...records[0], state: 'in_progress' }, records[1] ?? {}]);
    expect(await importFile(file('repeat.ndjson'))).toMatchObject({ new: 2 });
    writeLines('repeat.ndjson', records);
    const listed = await json(['incidents', 'list', '--category', 'repeats']);
    const { id } = listed.find((one) => one.short_description === 'Continued');
    await json(['incidents', 'update', id, '--state', 'in_progress']);
    expect(await importFile(file('repeat.ndjson'))).toMatchObject({ new: 0, already_there: 2, failed: 0 });
    expect(await listStates('repeats')).toEqual(['Continued in_progress', 'Stopped in_progress']);
    const environment = { ITSM_CONFIG: file('config/agent.json') };
    const credentials = join(service.dataFolder, 'credentials.json');
    await itsm(['login', '--credentials', credentials, '--as', 'agent'], { environment });
    const refused = await itsm(['import', file('repeat.ndjson')], { environment });
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('itsm_manager') });
  });

  it('exports CSV that it can import', async () => {
    const tricky = '=1+1, "quoted"';
    await json(['incidents', 'create', tricky, '--category', 'csv', '--description', 'Line 1\nLine 2']);
    const [{ count }] = await json(['export', file('out.csv'), '--category', 'csv']);
    expect(count).toBe(1);
    expect(readFileSync(file('out.csv'), 'utf8')).toContain(`"'=1+1, ""quoted"""`);
    // The same id with the same time of creation is the same incident.
    expect(await importFile(file('out.csv'))).toMatchObject({ new: 0, already_there: 1, losses: [] });
    const rows = readFileSync(file('out.csv'), 'utf8').replace(/^INC\w+/m, '');
    writeFileSync(file('out.csv'), rows);
    expect(await importFile(file('out.csv'))).toMatchObject({ new: 1, losses: [] });
    const copies = await json(['incidents', 'list', '--category', 'csv']);
    expect(copies.map((one) => [one.short_description, one.description, one.created_at])).toEqual([
      [tricky, 'Line 1\nLine 2', copies[0].created_at],
      [tricky, 'Line 1\nLine 2', copies[0].created_at],
    ]);
  });

  it('imports exports of ServiceNow and PagerDuty', async () => {
    const columns =
      'number,short_description,priority,state,category,assignment_group,assigned_to,caller_id,location,u_badge,opened_at,' +
      'close_notes,work_notes,comments';
    const journal =
      '"2026-02-02 09:30:00 - Beth Anglin (Work notes)\nReplaced it.\n\nAll green.\n\n2026-02-01 09:00:00 - Beth Anglin (Work notes)\nLooking."';
    const comments = '"2026-02-01 08:30:00 - Bow Ruggeri (Additional comments)\nStill slow."';
    const row =
      'INC0010023,"VPN is slow, again",2 - High,Resolved,Network,Network Team,Beth Anglin,Bow Ruggeri,Leeds,B-7,' +
      `2026-02-01 08:00:00,Replaced the switch,${journal},${comments},beyond`;
    const unknown = 'INC0010024,Mail is down,1 - Critical,Pending Vendor,Network,,,,,,,,,';
    writeFileSync(file('servicenow.csv'), [columns, row, unknown].join('\n'));
    const imported = await itsm(['import', 'servicenow', file('servicenow.csv'), '--json']);
    const { losses, ...counts } = JSON.parse(imported.stdout);
    expect(counts).toMatchObject({ new: 1, failed: 1 });
    const listed = losses.map((one: Record<string, string>) =>
      [one.fate, one.name, one.value].filter(Boolean).join(' '),
    );
    expect(listed.sort()).toEqual(
      [
        'in a note assigned_to',
        'in a note assigned_to Beth Anglin',
        'in a note caller_id',
        'in a note cells without a column',
        'in a note location',
        'in a note u_badge',
        'rejected state Pending Vendor',
        'set resolved_at',
      ].sort(),
    );
    expect(imported.stderr).toContain('line 2: state must be one of');
    const [vpn, ...others] = await json(['incidents', 'list', '--category', 'Network']);
    expect(others).toEqual([]);
    expect(vpn).toMatchObject({
      priority: 'P2',
      state: 'resolved',
      resolution: 'Replaced the switch',
      external_id: 'servicenow INC0010023',
      created_at: '2026-02-01T08:00:00.000Z',
    });
    const manager = await getApi(service, 'manager');
    const { data } = (await manager.get(`/incidents/${vpn.id}/notes`)).body;
    expect(data.map((note: Record<string, string>) => [note.visibility, note.created_at, note.body])).toEqual([
      ['public', '2026-02-01T08:30:00.000Z', '**Bow Ruggeri**\n\nStill slow.'],
      ['team', '2026-02-01T09:00:00.000Z', '**Beth Anglin**\n\nLooking.'],
      ['team', '2026-02-02T09:30:00.000Z', '**Beth Anglin**\n\nReplaced it.\n\nAll green.'],
      [
        'team',
        expect.any(String),
        'assigned_to: Beth Anglin\ncaller_id: Bow Ruggeri\nlocation: Leeds\nu_badge: B-7\ncells without a column: ["beyond"]',
      ],
    ]);

    // The web service of ServiceNow, with links: ids of linked objects are kept.
    const link = 'https://acme.service-now.com/api/now/table/sys_user_group/287ebd7da9fe';
    const linked = {
      number: { display_value: 'INC0010025', value: 'INC0010025' },
      short_description: { display_value: 'Linked', value: 'Linked' },
      priority: { display_value: '2 - High', value: '2' },
      state: { display_value: 'New', value: '1' },
      category: { display_value: 'Links', value: 'links' },
      assignment_group: { display_value: 'Network Team', link, value: '287ebd7da9fe' },
      caller_id: { link: 'https://acme.service-now.com/api/now/table/sys_user/5137153cc611', value: '5137153cc611' },
    };
    writeFileSync(file('linked.json'), JSON.stringify({ result: [linked] }));
    expect(await importFile('servicenow', file('linked.json'))).toMatchObject({
      new: 1,
      losses: ['caller_id', 'assignment_group.link', 'assignment_group.value', 'caller_id.link'].map((name) => ({
        fate: 'in a note',
        name,
        count: 1,
      })),
    });
    const [{ id, assignment_group }] = await json(['incidents', 'list', '--category', 'Links']);
    expect(assignment_group).toBe('Network Team');
    expect((await manager.get(`/incidents/${id}/notes`)).body.data[0].body).toContain(
      `caller_id: 5137153cc611\nassignment_group.link: ${link}\nassignment_group.value: 287ebd7da9fe\n`,
    );

    const incidents = [
      {
        incident_number: 77,
        title: 'Disk full',
        status: 'acknowledged',
        urgency: 'high',
        service: { summary: 'db' },
        assignments: [{ assignee: { summary: 'Earline Greenholt' } }],
        notes: [
          { content: 'Deleted logs.', created_at: '2026-02-01T10:00:00Z', user: { summary: 'Earline Greenholt' } },
        ],
      },
    ];
    writeFileSync(file('pagerduty.json'), JSON.stringify({ incidents }));
    expect(await importFile('pagerduty', file('pagerduty.json'))).toMatchObject({
      new: 1,
      losses: [{ fate: 'in a note', name: 'assignments', count: 1 }],
    });
    const [disk] = await json(['incidents', 'list', '--category', 'db']);
    expect(disk).toMatchObject({
      short_description: 'Disk full',
      priority: 'P2',
      state: 'in_progress',
      urgency: 'high',
      work_notes_count: 2,
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

  it('reports no problems for a running service', async () => {
    const checks = await json(['doctor']);
    expect(checks.map(({ check, status }) => `${check} ${status}`)).toEqual([
      'token ok',
      'clock ok',
      'permissions ok',
      'search ok',
      'latency ok',
      'rate limit ok',
    ]);
  });

  /** Completes in a shell of its own, with the installed program. */
  async function ask(shell: string, script: (completion: string) => string): Promise<string> {
    const completion = await runInstalled(['completion', shell]);
    const path = `${join(project.folder, 'node_modules/.bin')}:${process.env.PATH}`;
    return project.run(shell, ['-c', script(completion)], { PATH: path, ITSM_CONFIG: config });
  }

  it('completes commands, options and values in bash', async () => {
    const words = 'COMP_WORDS=(itsm incidents list --state re); COMP_CWORD=4';
    const found = await ask('bash', (completion) => `${completion}\n${words}; _itsm; echo "\${COMPREPLY[@]}"`);
    expect(found).toBe('resolved reopened\n');
  });

  const isInstalled = (shell: string) => spawnSync(shell, ['--version']).status === 0;
  (isInstalled('fish') ? it : it.skip)('completes in fish', async () => {
    const found = await ask('fish', (completion) => `${completion}\ncomplete -C 'itsm incidents list --pri'`);
    expect(found).toBe('--priority\tOnly these priorities.\n');
  });

  (isInstalled('zsh') ? it : it.skip)('completes in zsh', async () => {
    const stubs = 'compdef() { :; }; _describe() { print -l -- $found; }';
    const words = 'words=(itsm incidents list --pri); CURRENT=4';
    const found = await ask('zsh', (completion) => `${stubs}\n${completion}\n${words}; _itsm`);
    expect(found).toBe('--priority:Only these priorities.\n');
  });
});

describe('itsm api', () => {
  it('calls operations with fields, standard input, headers and all pages', async () => {
    const fields = ['-f', 'short_description=@-', '-f', 'priority=P2', '-f', 'category=api', '-r', 'subcategory=7'];
    const stdin = Readable.from(['Mail is down']);
    const created = await itsm(['api', 'POST', '/incidents', ...fields], { stdin });
    expect(created).toMatchObject({ code: 0, stderr: '' });
    const incident = JSON.parse(created.stdout);
    expect(incident).toMatchObject({ short_description: 'Mail is down', priority: 'P2', subcategory: '7' });
    const [second] = await json(['api', 'POST', 'incidents', '-f', 'short_description=Second', '-f', 'category=api']);
    const path = `/incidents/${incident.id}`;
    const etag = /^etag: (.*)$/m.exec((await itsm(['api', 'GET', path, '-i'])).stderr)?.[1];
    const cleared = ['api', 'PATCH', path, '-f', 'subcategory=null', '-H', `If-Match: ${etag}`];
    expect(await json(cleared)).toMatchObject([{ subcategory: null }]);
    expect(await itsm(cleared)).toMatchObject({ code: 1, stderr: expect.stringMatching(/^precondition_failed: /) });
    const input = { stdin: Readable.from([JSON.stringify({ priority: 'P1' })]) };
    expect(await itsm(['api', 'PATCH', path, '--input', '-', '--fields', 'id,priority'], input)).toMatchObject({
      stdout: `${incident.id}\tP1\n`,
    });
    const all = await json(['api', 'GET', '/incidents?limit=1', '-f', 'category=api', '--paginate']);
    expect(all.map(({ id }) => id).sort()).toEqual([incident.id, second.id].sort());
    const [page] = await json(['api', 'GET', '/incidents?category=api']);
    expect(page).toMatchObject({ total: 2, data: [{ category: 'api' }, { category: 'api' }] });
    expect(await itsm(['api', 'DELETE', path])).toMatchObject({ code: 0 });
    expect(await itsm(['api', 'GET', path])).toMatchObject({ code: 4, stdout: '' });
  });

  it('lists all operations and explains mistakes', async () => {
    expect(await json(['api'])).toHaveLength(Object.keys(operationTable).length);
    const mistakes = [
      ['api', 'GET'],
      ['api', 'GET', '/me', '--paginate'],
      ['api', 'GET', '/me', '-H', 'X-Colour: red'],
      ['api', 'POST', '/incidents', '-f', 'nothing'],
    ];
    const outcomes = await Promise.all(mistakes.map((args) => itsm(args)));
    expect(outcomes.map(({ code, stdout }) => [code, stdout])).toEqual(mistakes.map(() => [2, '']));
  });
});

describe('itsm output', () => {
  it('prints selected fields, CSV and JSON', async () => {
    const args = ['--category', 'formats', '--description', '-', '--fields', 'id'];
    const stdin = Readable.from(['=1+1, text\n']);
    const { stdout: id } = await itsm(['incidents', 'create', 'Formats', ...args], { stdin });
    expect(id).toMatch(/^INC\w{7}\n$/);
    const list = ['incidents', 'list', '--category', 'formats'];
    expect((await itsm([...list, '--csv', '--fields', 'priority,description'])).stdout).toBe(
      `priority,description\nP3,"'=1+1, text"\n`,
    );
    expect((await itsm([...list, '--csv'])).stdout).toMatch(/^id,priority,state,.*\nINC\w+,P3,new,/);
    expect(await json([...list, '--fields', 'id,no.such'])).toEqual([{ id: id.trim(), 'no.such': null }]);
    const history = await itsm(['api', 'GET', `/incidents/${id.trim()}/history`, '--fields', 'version,origin.kind']);
    expect(history).toMatchObject({ code: 0, stdout: '1\tapi\n' });
    expect(await itsm([...list, '--csv', '--json'])).toMatchObject({ code: 2 });
    expect(await itsm(['incidents', 'list', '--category', ''])).toMatchObject({ code: 2, stdout: '' });
  });

  it('clears a field with an empty value', async () => {
    const [{ id }] = await json(['incidents', 'create', 'Clear', '--category', 'clear', '--assignment-group', 'mail']);
    const [updated] = await json(['incidents', 'update', id, '--assignment-group', '', '--priority', 'P1']);
    expect(updated).toMatchObject({ assignment_group: null, category: 'clear', priority: 'P1' });
  });

  it('reads and writes pipes', async () => {
    const rows = 'short_description,category\nFrom a pipe,pipe\n';
    const folder = process.cwd();
    process.chdir(project.folder);
    const imported = await itsm(['import', '-', '--json'], { stdin: Readable.from([rows]) });
    process.chdir(folder);
    expect(JSON.parse(imported.stdout)).toMatchObject({ new: 1, failed: 0 });
    const [{ id }] = await json(['incidents', 'list', '--category', 'pipe']);
    await itsm(['notes', 'add', id, '-'], { stdin: Readable.from(['A long', ' note']) });
    const [{ data }] = await json(['api', 'GET', `/incidents/${id}/notes`]);
    expect(data).toMatchObject([{ body: 'A long note' }]);
    const exported = await itsm(['export', '-', '--category', 'pipe', '--csv', '--fields', 'id,short_description']);
    expect(exported).toMatchObject({ code: 0, stdout: `id,short_description\n${id},From a pipe\n` });
    expect(JSON.parse((await itsm(['export', '-', '--category', 'pipe'])).stdout)).toMatchObject({ id });
  });
});

describe('itsm --profile', () => {
  it('keeps an address and a key per profile, which takes precedence over the environment', async () => {
    const credentials = join(service.dataFolder, 'credentials.json');
    const before = readFileSync(config, 'utf8');
    const login = ['login', '--credentials', credentials, '--as', 'viewer', '--profile', 'read-only'];
    expect(await itsm(login)).toMatchObject({ code: 0 });
    expect(readFileSync(config, 'utf8')).toBe(before);
    expect(statSync(config.replace('.json', '.read-only.json')).mode & 0o777).toBe(0o600);
    const create = ['incidents', 'create', 'No'];
    expect(await itsm(['--profile', 'read-only', ...create])).toMatchObject({ code: 3 });
    expect(await itsm(create, { environment: { ITSM_PROFILE: 'read-only' } })).toMatchObject({ code: 3 });
    const environment = { ITSM_URL: 'http://127.0.0.1:9', ITSM_API_KEY: 'itsm_YTpi' };
    expect(await itsm(['incidents', 'list', '--profile', 'read-only'], { environment })).toMatchObject({ code: 0 });
    expect(await itsm([...create, '--profile', 'nobody'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--profile nobody'),
    });
    expect(await itsm([...create, '--profile', '../x'])).toMatchObject({ code: 2 });
    expect((await itsm(['profiles', '--fields', 'profile,url'])).stdout).toBe(
      `default\t${service.baseUrl}\nread-only\t${service.baseUrl}\n`,
    );
    expect(await itsm(['logout', '--profile', 'read-only'])).toMatchObject({ code: 0 });
    expect(existsSync(config)).toBe(true);
  });
});

describe('itsm ask and query', () => {
  it('prints answers with their sources and records', async () => {
    const [{ id }] = await json(['incidents', 'create', 'Badge reader is broken', '--priority', 'P1']);
    const asked = await json(['ask', 'How do I reset my VPN token?', '--incident', id]);
    expect(asked).toEqual([expect.objectContaining({ answer: expect.any(String), citations: expect.any(Array) })]);
    const [{ records }] = await json(['query', 'open P1 incidents']);
    expect(records).toContainEqual(expect.objectContaining({ id }));
    const { stdout } = await itsm(['query', 'open', 'P1', 'incidents']);
    expect(stdout).toContain(`\n  ${id}  Badge reader is broken\n`);
    expect(await itsm(['ask'])).toMatchObject({ code: 2 });
  });
});

describe('itsm incidents watch', () => {
  it('prints changes as they happen, until Ctrl-C', async () => {
    const [{ id }] = await json(['incidents', 'create', 'Watched']);
    await service.advance('0s');
    const stop = new AbortController();
    const started = aSignal();
    const printed = aSignal();
    const watch = itsm(['incidents', 'watch', id, '--interval', '0.05'], {
      signal: stop.signal,
      onMessage: started.fire,
      onOutput: printed.fire,
    });
    await started.fired;
    await json(['incidents', 'update', id, '--priority', 'P1']);
    await service.advance('0s');
    await printed.fired;
    stop.abort();
    const { code, stdout } = await watch;
    expect(code).toBe(130);
    expect(stdout).toMatch(new RegExp(`^\\S+  ${id}  incident\\.updated  P1 new  .*priority`));
  });
});

describe('itsm login with the browser', () => {
  const settings = () => JSON.parse(readFileSync(browserConfig, 'utf8'));
  const environment = () => ({ ITSM_CONFIG: browserConfig });
  let browserConfig: string;
  let person: Person;
  beforeAll(async () => {
    browserConfig = file('config/browser.json');
    person = await createPerson(service, 'ada@example.com', 'itsm_agent');
  });

  /** Starts the login and resolves with the address that it prints. */
  async function startLogin(stdin = new PassThrough()) {
    let found = (_page: string) => {};
    const page = new Promise<string>((resolve) => {
      found = resolve;
    });
    const outcome = itsm(['login', '--url', service.baseUrl, '--no-browser'], {
      stdin,
      environment: environment(),
      onMessage: (text) => {
        const address = /https?:\/\/\S+/.exec(text)?.[0];
        if (address) found(address);
      },
    });
    return { page: await page, outcome };
  }

  it('signs a person in, renews the session and ends it', async () => {
    const { page, outcome } = await startLogin();
    const redirectUri = new URL(page).searchParams.get('redirect_uri') ?? '';
    expect(commandLineRedirectUris).toContain(redirectUri);
    // Somebody else's response neither ends nor completes the sign-in.
    expect((await fetch(`${redirectUri}?code=stolen&state=guessed`)).status).toBe(400);
    const landed = await submitSignIn(page, person);
    expect(landed.text).toContain('Return to the terminal.');
    expect(await outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('Signed in as ada@example.com') });
    expect(statSync(browserConfig).mode & 0o777).toBe(0o600);

    const { session } = settings();
    writeFileSync(browserConfig, JSON.stringify({ ...settings(), session: { ...session, renewAt: 0 } }));
    expect(await itsm(['incidents', 'list'], { environment: environment() })).toMatchObject({ code: 0 });
    const renewed = settings().session;
    expect(renewed.accessToken).not.toBe(session.accessToken);
    expect(renewed.renewAt).toBeGreaterThan(Date.now());
    const rejected = { ...renewed, accessToken: session.accessToken.replace(/.{9}$/, 'forgotten') };
    writeFileSync(browserConfig, JSON.stringify({ ...settings(), session: rejected }));
    expect(await itsm(['doctor'], { environment: environment() })).toMatchObject({ code: 0 });

    const before = JSON.stringify({ ...settings(), session: { ...renewed, renewAt: 0 } });
    expect(await itsm(['logout'], { environment: environment() })).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(browserConfig)).toBe(false);
    writeFileSync(browserConfig, before);
    const ended = await itsm(['incidents', 'list'], { environment: environment() });
    expect(ended).toMatchObject({ code: 3, stderr: 'signed_out: Your session has ended. Run itsm login.\n' });
    rmSync(browserConfig);
  });

  it('accepts the redirect URL from a browser on another machine', async () => {
    const stdin = new PassThrough();
    const { page, outcome } = await startLogin(stdin);
    const redirectUri = new URL(page).searchParams.get('redirect_uri') ?? '';
    const { url } = await submitSignIn(page, person, redirectUri);
    stdin.write(`hello\n${url}\n`);
    expect(await outcome).toMatchObject({ code: 0 });
  });

  it('explains errors', async () => {
    const { page, outcome } = await startLogin();
    const query = new URL(page).searchParams;
    await fetch(`${query.get('redirect_uri')}?error=access_denied&state=${query.get('state')}`);
    expect(await outcome).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('access_denied') });
    const unreachable = await itsm(['login', '--url', 'http://127.0.0.1:9', '--no-browser']);
    expect(unreachable).toMatchObject({ code: 5, stderr: expect.stringContaining('network_error') });
    expect(await itsm(['login', '--url', 'nowhere'])).toMatchObject({ code: 2 });
  });
});

describe('itsm mcp', () => {
  const clients: Client[] = [];
  afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));

  async function connect(args: readonly string[]) {
    const { NODE_OPTIONS: _jestOnly, ...inherited } = process.env;
    const transport = new StdioClientTransport({
      command: join(project.folder, 'node_modules/.bin/itsm'),
      args: ['mcp', ...args],
      env: { ...(inherited as Record<string, string>), ITSM_CONFIG: config },
      stderr: 'inherit',
    });
    const client = new Client({ name: 'test', version: '1.0.0' });
    clients.push(client);
    await client.connect(transport);
    const call = async (name: string, input: Record<string, unknown>) => {
      const { content, isError, structuredContent } = await client.callTool({ name, arguments: input });
      const [{ text = '' } = {}] = content as { text?: string }[];
      return { text, isError: isError === true, structured: structuredContent as Record<string, unknown> | undefined };
    };
    return { client, call };
  }

  it('offers only read-only tools', async () => {
    const { client, call } = await connect([]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['list_incidents', 'get_incident', 'ask_knowledge']),
    );
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    expect(await call('create_incident', { short_description: 'No' })).toMatchObject({ isError: true });
    const [created] = await json(['incidents', 'create', 'Seen by an agent', '--category', 'mcp']);
    const listed = await call('list_incidents', { category: 'mcp' });
    expect(JSON.parse(listed.text).incidents[0].id).toBe(created.id);
    const shown = await call('get_incident', { id: created.id });
    expect(JSON.parse(shown.text)).toMatchObject({
      incident: { id: created.id },
      notes: [],
      sla: { clock: 'running' },
    });
    const unknown = await call('get_incident', { id: 'INC0000000' });
    expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining('404 not_found') });
  });

  it('rejects arguments that a tool does not have', async () => {
    const { client, call } = await connect([]);
    const { tools } = await client.listTools();
    expect(tools.filter(({ inputSchema }) => inputSchema.additionalProperties !== false)).toEqual([]);
    expect(await call('list_incidents', { status: 'new' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('status'),
    });
  });

  it('filters by SLA, searches configuration items and lists the newest events first, in compact rows', async () => {
    const { call } = await connect([]);
    const manager = await getApi(service, 'manager');
    const ci = (await manager.post('/cmdb/cis', { name: 'mcp-mail-gateway', class: 'server' })).body;
    const fields = ['--category', 'agents', '--ci-id', ci.id, '--description', 'Long text', '--priority', 'P4'];
    const [{ id }] = await json(['incidents', 'create', 'For agents', ...fields]);
    await json(['incidents', 'update', id, '--priority', 'P1']);
    await service.advance('0s');
    const known = ['--root-cause', 'Old firmware', '--known-error', 'true', '--ci-id', ci.id];
    const [problem] = await json(['problems', 'create', 'Gateway for agents fails', ...known]);
    await json(['incidents', 'update', id, '--parent-problem-id', problem.id]);
    await service.advance('0s');
    expect((await call('list_problems', { known_error: true, ci_id: ci.id })).structured).toMatchObject({
      problems: [{ id: problem.id, known_error: true }],
    });
    expect((await call('get_problem', { id: problem.id })).structured).toMatchObject({
      problem: { root_cause: 'Old firmware' },
      incidents: [{ id }],
    });
    expect((await call('find_known_errors', { id })).structured).toHaveProperty('known_errors');
    const onTrack = await call('list_incidents', { category: 'agents', sla: ['on_track'] });
    expect(onTrack.structured).toEqual({ incidents: [expect.objectContaining({ id, priority: 'P1' })], total: 1 });
    expect(onTrack.text).not.toContain('Long text');
    expect((await call('list_incidents', { category: 'agents', sla: ['breached'] })).structured).toMatchObject({
      total: 0,
    });
    expect((await call('search_cis', { q: 'mcp-mail' })).structured).toMatchObject({
      cis: [{ id: ci.id, class: 'server' }],
    });
    const ofRecord = await call('list_events', { record_id: id });
    const events = ofRecord.structured?.events as { event: string; sequence: number; id: string }[];
    expect(events.at(-1)).toMatchObject({ event: 'incident.created', id });
    expect(events.length).toBeGreaterThan(1);
    const recent = (await call('list_events', { limit: 2 })).structured as {
      events: typeof events;
      next_before: number;
    };
    expect(recent.events.map(({ sequence }) => sequence)).toEqual([recent.next_before + 1, recent.next_before]);
    const older = (await call('list_events', { limit: 1, before: recent.next_before })).structured;
    expect(older).toMatchObject({ events: [{ sequence: recent.next_before - 1 }] });
  });

  it('offers records as resources and prompts for triage', async () => {
    const { client } = await connect([]);
    const [{ id }] = await json(['incidents', 'create', 'A resource']);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(
      ['incidents', 'problems', 'changes', 'requests', 'cis', 'articles'].map((name) => `itsm://${name}/{id}`),
    );
    const { contents } = await client.readResource({ uri: `itsm://incidents/${id}` });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ id, short_description: 'A resource' });
    await expect(client.readResource({ uri: 'itsm://incidents/INC0000000' })).rejects.toThrow('404 not_found');
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['triage_incident', 'triage_queue']);
    const { messages } = await client.getPrompt({ name: 'triage_incident', arguments: { id } });
    expect(JSON.stringify(messages)).toContain(id);
  });

  it('offers write tools with --write', async () => {
    const { client, call } = await connect(['--write']);
    const { tools } = await client.listTools();
    const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false);
    expect(writing.map(({ name, description }) => `${name} ${description?.startsWith('Writes: ')}`)).toEqual([
      'create_incident true',
      'update_incident true',
      'add_work_note true',
    ]);
    expect(client.getInstructions()).toContain('can change records');
    const created = JSON.parse((await call('create_incident', { short_description: 'By an agent' })).text);
    expect(await call('update_incident', { id: created.id, status: 'closed' })).toMatchObject({ isError: true });
    await call('add_work_note', { id: created.id, body: 'On it' });
    const rejected = await call('update_incident', { id: created.id, state: 'closed' });
    expect(rejected).toMatchObject({ isError: true, text: expect.stringContaining('409 invalid_transition') });
    const updated = JSON.parse((await call('update_incident', { id: created.id, state: 'in_progress' })).text);
    expect(updated).toMatchObject({ state: 'in_progress', work_notes_count: 1 });
  });

  it('lists what an agent proposed with --propose, and approves it', async () => {
    const [incident] = await json(['incidents', 'create', 'VPN drops in Lisbon']);
    const { client, call } = await connect(['--propose']);
    const { tools } = await client.listTools();
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint === false).map(({ name }) => name)).toEqual([
      'propose_incident',
      'propose_incident_update',
    ]);
    const proposed = { id: incident.id, priority: 'P1', evidence: 'Three sites report it.' };
    const { id } = JSON.parse((await call('propose_incident_update', proposed)).text);
    expect((await itsm(['proposals', 'list'])).stdout).toContain(`${id}  updateIncident  ${incident.id}`);
    const viewer = await getApi(service, 'viewer');
    const other = {
      operation: 'updateIncident',
      record_id: incident.id,
      body: { priority: 'P2' },
      evidence: 'One site.',
    };
    const { body } = await viewer.post('/proposals', other);
    expect((await itsm(['proposals', 'approve', body.id, '--note', 'Yes'])).stdout).toBe(
      `${body.id} applied (${incident.id})\n`,
    );
    expect((await json(['incidents', 'get', incident.id]))[0].priority).toBe('P2');
  });
});

describe('itsm webhooks', () => {
  it('lists webhooks, sends a test, replays a delivery and recovers failed ones', async () => {
    const receiver = await aReceiver();
    const manager = await getApi(service, 'manager');
    const fields = { name: 'Tested', url: receiver.url, events: ['incident.created'] };
    const { id } = (await manager.post('/webhooks/outbound', fields)).body;
    expect((await itsm(['webhooks', 'list'])).stdout).toMatch(new RegExp(`^${id} +Tested +true +${receiver.url}`, 'm'));
    const [test] = await json(['webhooks', 'test', id]);
    await receiver.until(1);
    await service.advance('0s');
    expect(await json(['webhooks', 'replay', id, test.id])).toMatchObject([{ replay_of: test.id }]);
    await receiver.until(2);
    // Gone: the delivery fails at once and deactivates the webhook.
    receiver.answer(410);
    await json(['incidents', 'create', 'Not delivered']);
    await receiver.until(3);
    await service.advance('0s');
    receiver.answer(200);
    await manager.patch(`/webhooks/outbound/${id}`, { active: true });
    expect((await itsm(['webhooks', 'recover', id])).stdout).toBe('Queued 1 deliveries\n');
    const received = await receiver.until(4);
    expect(received.map(({ body }) => body.event)).toEqual(['ping', 'ping', 'incident.created', 'incident.created']);
    expect(await itsm(['webhooks', 'recover', id, '--since', 'yesterday'])).toMatchObject({ code: 1 });
    await receiver.stop();
  });
});

// The last test, because the clock does not move back.
describe('itsm doctor', () => {
  it('reports a clock that was moved', async () => {
    await service.advance('10m', []);
    const clock = (await (await fetch(`${service.baseUrl}/_local/clock`)).json()) as Record<string, unknown>;
    expect(clock.warning).toMatch(/Receivers .* reject signed deliveries/);
    const { code, stdout, stderr } = await itsm(['doctor']);
    expect(code).not.toBe(0);
    expect(stdout).toMatch(/clock +problem +(?:59|6\d)\d s from the service/);
    expect(stderr).toMatch(/Receivers reject timestamps/);
    const reset = async () => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${service.baseUrl}/_local/clock`, {
        method: 'POST',
        headers,
        body: '{"reset": true}',
      });
      return { status: response.status, body: await response.json() };
    };
    expect(await reset()).toMatchObject({ status: 200, body: { returns_at: expect.any(String) } });
    await service.advance('2h', []);
    expect(await reset()).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('empty data folder') },
    });
  });
});
