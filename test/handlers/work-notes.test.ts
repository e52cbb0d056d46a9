import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expectAccess } from '../support/access.ts';
import { expectProblem } from '../support/http.ts';
import { type Api, anIncident, countCalls, createApi, getApi, startTestService } from '../support/incidents.ts';
import { presign } from '../support/presign.ts';

const { service, agent, viewer, manager } = await startTestService('agent', 'viewer', 'manager');

let path: string;
let id: string;
beforeAll(async () => {
  id = (await anIncident(agent)).body.id;
  path = `/incidents/${id}/notes`;
});

const file = {
  filename: 'relay.log',
  content_type: 'text/plain',
  size_bytes: 20_480,
  url: 'https://files.example.com/relay.log',
};

describe('createWorkNote', () => {
  it('returns 201 with the note', async () => {
    const response = await agent.post(path, {
      body: 'The relay *refuses* us.',
      visibility: 'public',
      attachments: [file],
    });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id: expect.stringMatching(/^note_[0-9A-HJKMNP-TV-Z]{26}$/),
      incident_id: id,
      body: 'The relay *refuses* us.',
      visibility: 'public',
      author: 'agent@clients.incidents.localhost',
      created_at: expect.stringMatching(/Z$/),
      attachments: [file],
    });
  });

  it('requires only a body; the visibility defaults to team', async () => {
    const { body } = await agent.post(path, { body: 'x' });
    expect(body).toMatchObject({ visibility: 'team', attachments: [] });
  });

  it('counts fifty concurrent notes', async () => {
    const { body: incident } = await anIncident(agent);
    await service.advance('2s');
    const add = (index: number) => agent.post(`/incidents/${incident.id}/notes`, { body: `note ${index}` });
    const responses = await Promise.all(Array.from({ length: 50 }, (_, index) => add(index)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 201));
    expect((await agent.get(`/incidents/${incident.id}`)).body.work_notes_count).toBe(50);
    const { body: notes } = await agent.get(`/incidents/${incident.id}/notes?limit=200`);
    expect([notes.total, notes.data.length]).toEqual([50, 50]);
  });

  it.each<[string, unknown, string]>([
    ['no body', {}, 'body'],
    ['an empty body', { body: ' ' }, 'body'],
    ['a body that is too long', { body: 'x'.repeat(32_001) }, 'body'],
    ['an unknown visibility', { body: 'x', visibility: 'secret' }, 'visibility'],
    ['null attachments', { body: 'x', attachments: null }, 'attachments'],
    ['21 attachments', { body: 'x', attachments: Array.from({ length: 21 }, () => file) }, 'attachments'],
    ['an attachment without https', withFields({ url: 'http://files.example.com/x' }), 'attachments[0].url'],
    ['an attachment with a script', withFields({ url: 'javascript:alert(1)' }), 'attachments[0].url'],
    ['an attachment without a name', withFields({ filename: '' }), 'attachments[0].filename'],
    ['an attachment of a negative size', withFields({ size_bytes: -1 }), 'attachments[0].size_bytes'],
    ['an attachment of no media type', withFields({ content_type: 'text' }), 'attachments[0].content_type'],
    ['an attachment with unknown fields', withFields({ data: 'x' }), 'attachments[0].data'],
    ['unknown fields', { body: 'x', title: 'y' }, 'title'],
    ['the author', { body: 'x', author: 'somebody@example.com' }, 'author'],
  ])('rejects %s', async (_name, body, field) => {
    expectProblem(await agent.post(path, body), 400, 'invalid_input', [field]);
  });

  it('returns the first response for the same idempotency key, and counts the note once', async () => {
    const { body: incident } = await anIncident(agent);
    const key = { 'idempotency-key': 'note-1' };
    const add = (body: string) => agent.post(`/incidents/${incident.id}/notes`, { body }, key);
    const first = await add('once');
    const again = await add('once');
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expectProblem(await add('twice'), 422, 'idempotency_key_reused');
    expectProblem(await agent.post(path, { body: 'once' }, key), 422, 'idempotency_key_reused');
    expect((await agent.get(`/incidents/${incident.id}`)).body.work_notes_count).toBe(1);
  });

  it('returns 404 for an unknown incident', async () => {
    expectProblem(await agent.post('/incidents/INC0000000/notes', { body: 'x' }), 404, 'not_found');
  });

  it('requires an agent', async () => {
    expectProblem(await (await getApi(service, 'viewer')).post(path, { body: 'x' }), 403, 'forbidden');
  });

  it('takes one transaction, besides the rate limit', async () => {
    await service.advance('2s');
    const calls = await countCalls(service, 'create-work-note', () => agent.post(path, { body: 'x' }));
    expect(calls).toEqual({ 'dynamodb.TransactWriteItems': 1 });
  });
});

function withFields(more: object) {
  return { body: 'x', attachments: [{ ...file, ...more }] };
}

async function anIncidentWith(notes: readonly [Api, string, string][]): Promise<string> {
  const { body } = await anIncident(agent);
  for (const [api, text, visibility] of notes) {
    expect((await api.post(`/incidents/${body.id}/notes`, { body: text, visibility })).status).toBe(201);
  }
  return `/incidents/${body.id}/notes`;
}

const listBodies = (response: { body: { data: { body: string }[] } }) => response.body.data.map(({ body }) => body);

describe('reportIncident', () => {
  const report = { short_description: 'I cannot print', urgency: 'high' };

  it('lets everyone report an incident, follow it and add notes to it', async () => {
    const { status, body } = await viewer.post('/incidents/reports', report);
    expect(status).toBe(201);
    const opened_by = 'viewer@clients.incidents.localhost';
    expect(body).toMatchObject({ ...report, state: 'new', priority: 'P3', assignment_group: null, opened_by });
    expect((await viewer.get(`/incidents/${body.id}`)).body).toEqual(body);
    const { body: note } = await viewer.post(`/incidents/${body.id}/notes`, { body: 'On the second floor.' });
    expect(note).toMatchObject({ incident_id: body.id, author: opened_by });
  });

  it('takes only what a person who reports knows', async () => {
    const response = await viewer.post('/incidents/reports', { priority: 'P1', assigned_to: 'a@b.example' });
    expectProblem(response, 400, 'invalid_input', ['assigned_to', 'priority', 'short_description']);
    expectProblem(await viewer.post('/incidents', report), 403, 'forbidden');
    await expectAccess(service, [['POST', '/incidents/reports', report]]);
  });
});

describe('listWorkNotes', () => {
  it('lists notes oldest first', async () => {
    const { body } = await anIncident(agent);
    const path = `/incidents/${body.id}/notes`;
    const written = [];
    for (const text of ['a', 'b', 'c']) written.push((await agent.post(path, { body: text })).body);
    const response = await viewer.get(path);
    expect(response).toMatchObject({ status: 200, body: { data: written, total: 3 } });
    expect(response.body).not.toHaveProperty('next_cursor');
  });

  it('returns an empty list for an incident without notes', async () => {
    expect((await viewer.get(await anIncidentWith([]))).body).toEqual({ data: [], total: 0, total_is_exact: true });
  });

  it('lists and counts private notes only for their author and managers', async () => {
    const path = await anIncidentWith([
      [agent, 'team', 'team'],
      [agent, 'private of the agent', 'private'],
      [manager, 'private of the manager', 'private'],
      [manager, 'public', 'public'],
    ]);
    const all = ['team', 'private of the agent', 'private of the manager', 'public'];
    const listSeen = async (api: Api) => {
      const response = await api.get(path);
      return [listBodies(response), response.body.total];
    };
    expect(await listSeen(manager)).toEqual([all, 4]);
    expect(await listSeen(await getApi(service, 'admin'))).toEqual([all, 4]);
    expect(await listSeen(agent)).toEqual([['team', 'private of the agent', 'public'], 3]);
    expect(await listSeen(viewer)).toEqual([['team', 'public'], 2]);
  });

  it('pages over the notes that the caller may see', async () => {
    const path = await anIncidentWith([
      [manager, 'hidden 1', 'private'],
      [agent, 'a', 'team'],
      [manager, 'hidden 2', 'private'],
      [manager, 'hidden 3', 'private'],
      [agent, 'b', 'team'],
      [agent, 'c', 'private'],
      [agent, 'd', 'public'],
      [manager, 'hidden 4', 'private'],
    ]);
    const first = await agent.get(`${path}?limit=2`);
    expect([listBodies(first), first.body.total]).toEqual([['a', 'b'], 4]);
    const second = await agent.get(`${path}?limit=2&cursor=${first.body.next_cursor}`);
    expect([listBodies(second), second.body.total]).toEqual([['c', 'd'], 4]);
    expect(second.body).not.toHaveProperty('next_cursor');
  });

  it('lists every note once while notes are added between two pages', async () => {
    const path = await anIncidentWith([
      [agent, 'a', 'team'],
      [agent, 'b', 'team'],
      [agent, 'c', 'team'],
    ]);
    const first = await viewer.get(`${path}?limit=2`);
    await agent.post(path, { body: 'd' });
    const second = await viewer.get(`${path}?limit=2&cursor=${first.body.next_cursor}`);
    expect([...listBodies(first), ...listBodies(second)]).toEqual(['a', 'b', 'c', 'd']);
    expect(second.body.total).toBe(4);
  });

  it('returns 25 notes by default', async () => {
    const { body } = await anIncident(agent);
    const path = `/incidents/${body.id}/notes`;
    await Promise.all(Array.from({ length: 27 }, (_, index) => agent.post(path, { body: `${index}` })));
    expect((await viewer.get(path)).body.data).toHaveLength(25);
    expect((await viewer.get(`${path}?limit=200`)).body.data).toHaveLength(27);
  });

  it('rejects a modified cursor and a cursor of another incident', async () => {
    const [path, other] = [
      await anIncidentWith([
        [agent, 'a', 'team'],
        [agent, 'b', 'team'],
      ]),
      await anIncidentWith([]),
    ];
    const { next_cursor } = (await viewer.get(`${path}?limit=1`)).body;
    expectProblem(await viewer.get(`${other}?limit=1&cursor=${next_cursor}`), 400, 'invalid_input');
    const altered = Buffer.from(next_cursor, 'base64url');
    altered[altered.length - 1]! ^= 1;
    expectProblem(await viewer.get(`${path}?cursor=${altered.toString('base64url')}`), 400, 'invalid_input');
  });

  it.each(['limit=0', 'limit=201', 'limit=abc', 'sort=created_at'])('rejects %s', async (query) => {
    expectProblem(await viewer.get(`${await anIncidentWith([])}?${query}`), 400, 'invalid_input');
  });

  it('returns 404 for an unknown incident', async () => {
    expectProblem(await viewer.get('/incidents/INC0000000/notes'), 404, 'not_found');
  });
});

describe('attachments', () => {
  const log = Buffer.from('09:42 connection refused\n');
  const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');

  const create = (fields: object = {}, api = agent) =>
    api.post('/attachments', {
      record_id: id,
      filename: 'relay "1" ü.log',
      content_type: 'text/plain',
      size_bytes: log.length,
      ...fields,
    });
  const upload = ({ url, headers }: { url: string; headers: Record<string, string> }, body: Buffer = log) =>
    fetch(url, { method: 'PUT', headers, body: new Uint8Array(body) });
  const aFile = async (fields: object = {}, bytes: Buffer = log) => {
    const { status, body } = await create({ size_bytes: bytes.length, ...fields });
    expect(status).toBe(201);
    expect((await upload(body.upload, bytes)).status).toBe(200);
    return { id: body.id as string, completed: await agent.post(`/attachments/${body.id}/complete`, undefined) };
  };

  it('stores a file and returns it as an attachment of its note', async () => {
    const { body: created } = await create();
    expect(created).toMatchObject({ state: 'pending', note_id: null, upload: { method: 'PUT' } });
    expectProblem(await agent.post(`/attachments/${created.id}/complete`, undefined), 409, 'invalid_transition');
    expect((await upload(created.upload)).status).toBe(200);
    const completed = await agent.post(`/attachments/${created.id}/complete`, undefined);
    expect(completed).toMatchObject({ status: 200, body: { state: 'available' } });
    expect(await agent.post(`/attachments/${created.id}/complete`, undefined)).toMatchObject({ status: 200 });

    const note = await agent.post(path, { body: 'See the log.', attachments: [file], attachment_ids: [created.id] });
    expect(note.body.attachments).toEqual([
      file,
      {
        id: created.id,
        filename: 'relay "1" ü.log',
        content_type: 'text/plain',
        size_bytes: log.length,
        url: expect.stringMatching(new RegExp(`/attachments/${created.id}$`)),
      },
    ]);
    expect((await viewer.get(`${path}?limit=200`)).body.data).toContainEqual(note.body);
    const found = await viewer.get(`/attachments/${created.id}`);
    expect(found.body).toMatchObject({ state: 'available', note_id: note.body.id });
    const download = await fetch(found.body.download_url);
    expect(Buffer.from(await download.arrayBuffer())).toEqual(log);
    expect(Object.fromEntries(download.headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-disposition': `attachment; filename="relay _1_ _.log"; filename*=UTF-8''relay%20%221%22%20%C3%BC.log`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
  });

  it.each<[string, object, string]>([
    ['no record', { record_id: 'INC0000000' }, 'record_id'],
    ['an id of another kind', { record_id: 'KB4T9X2MQ' }, 'record_id'],
    ['a type that browsers run', { content_type: 'text/html' }, 'content_type'],
    ['a program', { content_type: 'application/x-msdownload' }, 'content_type'],
    ['a file that is too large', { size_bytes: 10_000_001 }, 'size_bytes'],
    ['an empty file', { size_bytes: 0 }, 'size_bytes'],
    ['a path', { filename: '../relay.log' }, 'filename'],
    ['the state', { state: 'available' }, 'state'],
  ])('rejects %s', async (_name, fields, field) => {
    expectProblem(await create(fields), 400, 'invalid_input', [field]);
  });

  it.each<[string, string, Buffer]>([
    ['a picture that is a text', 'image/png', log],
    ['a text that is a picture', 'text/plain', png],
    ['a text with zero bytes', 'text/plain', Buffer.from('MZ\0\0')],
  ])('deletes %s', async (_name, content_type, bytes) => {
    const { id: fileId, completed } = await aFile({ content_type }, bytes);
    expectProblem(completed, 400, 'invalid_input', ['content_type']);
    expectProblem(await agent.post(`/attachments/${fileId}/complete`, undefined), 409, 'invalid_transition');
  });

  it('accepts a picture', async () => {
    expect((await aFile({ content_type: 'image/png', filename: 'a.png' }, png)).completed.status).toBe(200);
  });

  it('signs the size, the type, the name and the expiry of an upload', async () => {
    const { body } = await create();
    const { url, headers } = body.upload;
    const other = new URL(url);
    other.pathname = other.pathname.replace('uploads/', 'files/');
    const forbidden = [
      await upload(body.upload, Buffer.concat([log, log])),
      await upload({ url, headers: { 'Content-Type': 'text/html' } }),
      await upload({ url, headers: { ...headers, 'x-amz-meta-owner': 'somebody' } }),
      await upload({ url: other.href, headers }),
      await upload({ url: url.replace('X-Amz-Expires=900', 'X-Amz-Expires=9000'), headers }),
      await fetch(url),
    ];
    expect(forbidden.map(({ status }) => status)).toEqual(forbidden.map(() => 403));
    await service.advance('15m', []);
    expect((await upload(body.upload)).status).toBe(403);
  });

  it('are in a bucket that accepts what the AWS SDK presigns, until it is altered or expires', async () => {
    const { upload: ownUpload } = (await create()).body;
    const [, Bucket = ''] = new URL(ownUpload.url).pathname.split('/');
    const connect = (secretAccessKey: string) =>
      new S3Client({
        endpoint: service.baseUrl,
        region: 'us-east-1',
        credentials: { ...service.awsCredentials, secretAccessKey },
        forcePathStyle: true,
      });
    const s3 = connect(service.awsCredentials.secretAccessKey);
    const options = { expiresIn: 60, signingDate: new Date((await agent.get('/health')).body.time) };
    const target = { Bucket, Key: 'uploads/by the SDK+ü.log' };
    const put = await presign(s3, new PutObjectCommand({ ...target, Body: log, Metadata: { by: 'sdk' } }), options);
    const get = await presign(s3, new GetObjectCommand(target), options);
    const forged = await presign(connect('another'), new GetObjectCommand(target), options);
    const send = async (url: string, body?: Buffer) => {
      const response = await fetch(url, body && { method: 'PUT', body: new Uint8Array(body) });
      return { status: response.status, text: await response.text(), by: response.headers.get('x-amz-meta-by') };
    };
    expect(await send(put, log)).toMatchObject({ status: 200 });
    expect(await send(get)).toEqual({ status: 200, text: log.toString(), by: 'sdk' });
    // The URL has the size and the checksum of the body.
    expect(await send(put, Buffer.concat([log, log]))).toMatchObject({ status: 403 });
    expect(await send(put, Buffer.from('x'.repeat(log.length)))).toMatchObject({ status: 400 });
    const altered = [
      get.replace('SDK', 'API'),
      get.replace('Expires=60', 'Expires=600'),
      get.replace('x-id=GetObject', 'x-id=PutObject'),
      `${get}&x-amz-meta-by=me`,
      get.replace(/Signature=./, 'Signature=g'),
      forged,
    ];
    for (const url of altered) expect(await send(url)).toMatchObject({ status: 403 });
    expect(await send(get, log)).toMatchObject({ status: 403 });
    await service.advance('1m', []);
    expect([await send(get), await send(put, log)]).toMatchObject([{ status: 403 }, { status: 403 }]);
  });

  it('does not let a valid upload URL replace a completed file', async () => {
    const { body } = await create();
    await upload(body.upload);
    await agent.post(`/attachments/${body.id}/complete`, undefined);
    await upload(body.upload, Buffer.from('x'.repeat(log.length)));
    const { download_url } = (await agent.get(`/attachments/${body.id}`)).body;
    expect(await (await fetch(download_url)).text()).toBe(log.toString());
    await service.advance('5m', []);
    expect((await fetch(download_url)).status).toBe(403);
  });

  it('shows a file like its note, and before that to its uploader and managers', async () => {
    const { id: fileId } = await aFile();
    const see = async (api: Api) => (await api.get(`/attachments/${fileId}`)).status;
    expect([await see(agent), await see(manager), await see(viewer)]).toEqual([200, 200, 404]);
    await agent.post(path, { body: 'x', visibility: 'private', attachment_ids: [fileId] });
    expect([await see(agent), await see(manager), await see(viewer)]).toEqual([200, 200, 404]);
  });

  it('adds a file to one note of its record only, also when the request is repeated', async () => {
    const { id: fileId } = await aFile();
    const { body: other } = await anIncident(agent);
    const note = { body: 'x', attachment_ids: [fileId] };
    expectProblem(await agent.post(`/incidents/${other.id}/notes`, note), 400, 'invalid_input', ['attachment_ids']);
    const key = { 'idempotency-key': `file ${fileId}` };
    const first = await agent.post(path, note, key);
    expect(await agent.post(path, note, key)).toMatchObject({ status: 201, body: first.body });
    const { body: pending } = await create();
    const unknown = 'att_00000000000000000000000000';
    for (const ids of [[fileId], [pending.id], [unknown]]) {
      const response = await agent.post(path, { body: 'x', attachment_ids: ids });
      expectProblem(response, 400, 'invalid_input', ['attachment_ids']);
    }
  });

  it('deletes a file: its uploader until a note has it, then managers', async () => {
    const { id: fileId } = await aFile();
    await agent.post(path, { body: 'x', attachment_ids: [fileId] });
    const { download_url } = (await viewer.get(`/attachments/${fileId}`)).body;
    expectProblem(await agent.delete(`/attachments/${fileId}`), 403, 'forbidden');
    expect((await manager.delete(`/attachments/${fileId}`)).status).toBe(204);
    expectProblem(await manager.get(`/attachments/${fileId}`), 404, 'not_found');
    expect((await fetch(download_url)).ok).toBe(false);
    const { id: unused } = await aFile();
    expect((await agent.delete(`/attachments/${unused}`)).status).toBe(204);
  });

  it('forgets an upload that is not complete after a day, and a file that no note has after a week', async () => {
    const { body } = await create();
    await upload(body.upload);
    const [unused, used] = [await aFile(), await aFile()];
    await agent.post(path, { body: 'x', attachment_ids: [used.id] });
    await service.advance('25h', []);
    const later = await getApi(service, 'agent');
    expectProblem(await later.post(`/attachments/${body.id}/complete`, undefined), 404, 'not_found');
    const { download_url } = (await later.get(`/attachments/${unused.id}`)).body;
    expect((await fetch(download_url)).status).toBe(200);
    await service.advance('7d', []);
    const week = await getApi(service, 'agent');
    expectProblem(await week.get(`/attachments/${unused.id}`), 404, 'not_found');
    const { download_url: kept } = (await week.get(`/attachments/${used.id}`)).body;
    expect((await fetch(kept)).status).toBe(200);
    const [, Bucket = ''] = new URL(kept).pathname.split('/');
    const aws = { endpoint: service.awsUrl, region: 'us-east-1', credentials: service.awsCredentials };
    const s3 = new S3Client({ ...aws, forcePathStyle: true });
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    s3.destroy();
    const keys = Contents.map(({ Key }) => Key);
    expect(keys).toContain(`files/${used.id}`);
    expect(keys.filter((key) => key?.includes(unused.id) || key?.includes(body.id))).toEqual([]);
  });

  it('lets viewers upload files of their own incidents only, and only the uploader complete', async () => {
    const [api, reader, other] = await Promise.all([
      getApi(service, 'agent'),
      getApi(service, 'viewer'),
      getApi(service, 'manager'),
    ]);
    expectProblem(await create({}, reader), 403, 'forbidden');
    const own = await reader.post('/incidents/reports', { short_description: 'I cannot print' });
    expect((await create({ record_id: own.body.id }, reader)).status).toBe(201);
    const { body } = await create({}, api);
    expectProblem(await other.post(`/attachments/${body.id}/complete`, undefined), 404, 'not_found');
    expectProblem(await createApi(service, 'wrong').get(`/attachments/${body.id}`), 401, 'unauthorized');
  });
});
