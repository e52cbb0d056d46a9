import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { embedderName } from '../../lambdas/ai/embedding/model-files.ts';
import { toFeedKeys } from '../../lambdas/records/record-item.ts';
import { advanceUntil, anArticle, expectInvalid, listCitedIds } from '../support/assistant.ts';
import { type Answer, call, expectProblem } from '../support/http.ts';
import { type Api, anIncident, countCalls, createApi, getApi, startTestService } from '../support/incidents.ts';
import { createPerson, signIn } from '../support/people.ts';
import { createTableClient, findRecordsTable } from '../support/tables.ts';

const question = 'What does error 809 of the VPN client mean?';
let roleless: Api;
const articles: Record<string, string> = {};
let similar: string;
let problem: string;
let unlearned: Answer;
/** Makes a text unique, so that its response is not cached. */
let asks = 0;

const { service, agent, manager, viewer } = await startTestService('agent', 'manager', 'viewer');
const ask = (body: object) => viewer.post('/ai/ask', body);
const analyze = (body: object) => viewer.post('/ai/analyze', body);
const isCached = async (answer: Promise<Answer>) => (await answer).body.cache_hit;
const until = (send: () => Promise<Answer>, fits: (answer: Answer) => boolean) => advanceUntil(service, send, fits);

beforeAll(async () => {
  roleless = createApi(service, await signIn(service, await createPerson(service, 'roleless@example.com')));
  unlearned = await ask({ question });
  for (const [name, fields] of Object.entries(texts)) articles[name] = await anArticle(manager, fields);
  const past = { short_description: 'VPN ends with error 809 at home', description: 'Since this morning.' };
  similar = (await anIncident(agent, past)).body.id;
  await agent.patch(`/incidents/${similar}`, { state: 'in_progress' });
  await service.advance('2m');
  problem = (await agent.post('/problems', { short_description: 'A firewall drops UDP' })).body.id;
  const resolution = 'Moved the caller to another network.';
  await agent.patch(`/incidents/${similar}`, { state: 'resolved', resolution, parent_problem_id: problem });
  await until(
    () => viewer.post('/ai/exemplars', { description: `VPN error 809 ${asks++}` }),
    ({ body }) => body.count > 0,
  );
});
afterEach(() => fault('DELETE'));

const texts = {
  vpn: {
    title: 'What the numbers of the VPN client mean',
    body: 'The client shows a number.\n\n## Error 809\n\nError 809 means that a firewall drops UDP 500 and 4500. Use another network, or ask the network team for the TCP profile.\n\n## Error 812\n\nError 812 means that the certificate of the user has expired. Renew it in the portal.',
    tags: ['vpn'],
    state: 'published',
  },
  printer: {
    title: 'Printer jams with every second page',
    body: 'The rollers are worn out after 60000 pages.\n\n## Replace the rollers\n\nOrder kit RK-60 and replace both rollers.',
    state: 'published',
  },
  draft: {
    title: 'Secret plan for the badge readers',
    body: 'The badge readers will be replaced by QZX-77.',
    state: 'draft',
  },
};

async function fault(method: 'POST' | 'DELETE', body?: unknown): Promise<void> {
  const response = await fetch(`${service.baseUrl}/_local/faults`, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  });
  expect(response.status).toBeLessThan(300);
}

describe('askQuestion', () => {
  it('answers from the knowledge base with citations', async () => {
    // The service had no articles when it answered this question first, and did not cache that answer.
    expect(unlearned.body).toMatchObject({
      citations: [],
      answer: expect.stringMatching(/^Not found: no article is published/),
    });
    const { status, body, headers } = await ask({ question });
    expect(status).toBe(200);
    expect(body.answer).toMatch(/^\*\*What the numbers of the VPN client mean › Error 809\*\*\n\n.*firewall/);
    expect(body.confidence).toBeGreaterThan(0.8);
    expect(body.citations).toEqual([
      { article_id: articles.vpn, title: texts.vpn.title, relevance: expect.any(Number) },
    ]);
    expect(body.related).toEqual([]);
    expect(body).toMatchObject({ cache_hit: false, model_used: expect.any(String), latency_ms: expect.any(Number) });
    expect(body.tokens_used).toBeGreaterThan(0);
    expect(headers.get('x-ratelimit-limit')).toBe('60');
  });

  it('returns the cached answer for a paraphrase, and a new answer for another code', async () => {
    const again = await ask({ question: `  ${question.toUpperCase()} ` });
    expect(again.body).toMatchObject({ cache_hit: true, tokens_used: 0, cache: { matched: question, similarity: 1 } });
    const reworded = await ask({ question: 'what does the error 809 of the VPN client mean' });
    expect(reworded.body).toMatchObject({ cache_hit: true, cache: { matched: question } });
    expect(reworded.body.cache.similarity).toBeGreaterThanOrEqual(0.95);
    expect(reworded.body.cache.similarity).toBeLessThan(1);
    const byAgent = await agent.post('/ai/ask', { question });
    expect(byAgent.body).toMatchObject({ cache_hit: true, cache: { similarity: 1 } });
    expect(byAgent.body.cache).not.toHaveProperty('matched');
    const other = await ask({ question: question.replace('809', '812') });
    expect(other.body).toMatchObject({ cache_hit: false, answer: expect.stringMatching(/certificate/) });
    expect(await isCached(ask({ question, model: 'model-3-haiku' }))).toBe(false);
  });

  it('evicts an answer when a cited article changes', async () => {
    const asked = { question: 'Which kit do I order for worn out rollers of the printer?' };
    expect((await ask(asked)).body.answer).toMatch(/RK-60/);
    expect(await isCached(ask(asked))).toBe(true);
    const body = texts.printer.body.replace('RK-60', 'RK-90');
    await manager.patch(`/knowledge/articles/${articles.printer}`, { body });
    const after = await until(
      () => ask(asked),
      ({ body }) => /RK-90/.test(body.answer),
    );
    expect(after.body.answer).not.toMatch(/RK-60/);
  });

  it.each([
    ['deleted', 'QRM-5', (id: string) => manager.delete(`/knowledge/articles/${id}`)],
    ['a draft again', 'QRM-6', (id: string) => manager.patch(`/knowledge/articles/${id}`, { state: 'draft' })],
  ])(
    'never cites or names an article that is %s, neither from the cache nor in the copilot',
    async (_, word, remove) => {
      const lamp = await anArticle(manager, {
        title: `Franking machine ${word}`,
        body: `Lamp ${word} of the franking machine means that ink is missing.`,
        state: 'published',
      });
      const machine = `laminator ${word} in the archive`;
      const laminator = await anArticle(manager, {
        title: `The ${machine}`,
        body: `The ${machine} is warm after five minutes.`,
        state: 'published',
      });
      const { body: incident } = await anIncident(agent, { short_description: `The ${machine} smells of smoke` });
      const copilot = () => viewer.post('/ai/query', { query: `What does lamp ${word} of the franking machine mean?` });
      const lampQuestion = { question: `What does lamp ${word} on the franking machine mean?` };
      const foil = `Who buys foil for the ${machine}?`;
      const foilQuestions = [
        { question: foil },
        { question: 'Who buys foil for it?', context_record: { type: 'incident', id: incident.id } },
      ];
      const listNamedIds = ({ body }: Answer) =>
        [...body.citations, ...body.related].map(({ article_id }: { article_id: string }) => article_id);
      await until(copilot, (answer) => listCitedIds(answer).includes(lamp));
      await until(
        () => ask({ question: `${foil} ${asks++}` }),
        (answer) => listNamedIds(answer).includes(laminator),
      );
      expect(listCitedIds(await ask(lampQuestion))).toEqual([lamp]);
      expect(await isCached(ask(lampQuestion))).toBe(true);
      for (const each of foilQuestions) expect(listNamedIds(await ask(each))).toContain(laminator);

      for (const id of [lamp, laminator]) expect((await remove(id)).status).toBeLessThan(300);
      expect(await isCached(ask(lampQuestion))).toBe(false);
      for (const answer of [await ask(lampQuestion), await copilot()]) {
        expect(listCitedIds(answer)).not.toContain(lamp);
        expect(answer.body.answer).not.toMatch(/ink/);
      }
      for (const each of foilQuestions) expect(listNamedIds(await ask(each))).not.toContain(laminator);
    },
  );

  it('ignores vectors of another embedding model', async () => {
    const client = createTableClient(service);
    const TableName = await findRecordsTable(client);
    const key = { pk: { S: articles.vpn! }, sk: { S: `chunk#${embedderName}` } };
    const { Item } = await client.send(new GetItemCommand({ TableName, Key: key }));
    const vectors = Item!.listing!;
    // Another release learned the printer article, with vectors that fit this question.
    const at = new Date(Date.now() + 1_000).toISOString();
    const { feed_pk, feed_sk } = toFeedKeys('chunk.other-model.1', articles.printer!, at);
    const item = { version: { N: '99' }, listing: vectors, feed_pk: { S: feed_pk }, feed_sk: { S: feed_sk } };
    const other = { pk: { S: articles.printer! }, sk: { S: 'chunk#other-model.1' } };
    await client.send(new PutItemCommand({ TableName, Item: { ...other, ...item } }));
    const answer = await ask({ question: 'Which ports does error 809 of the VPN client name?' });
    expect(listCitedIds(answer)).toEqual([articles.vpn]);
    const rows = await client.send(new GetItemCommand({ TableName, Key: { ...key, pk: { S: articles.printer! } } }));
    expect(rows.Item!.version!.N).not.toBe('99');
    client.destroy();
  });

  it('returns "not found" without citations, and never quotes a draft', async () => {
    const secret = 'Which badge readers replace the old ones, QZX-77?';
    for (const asked of ['How do I bake bread with rye flour?', 'What is the capital of France?', secret]) {
      const { body } = await ask({ question: asked });
      expect(body).toMatchObject({ citations: [], related: [] });
      expect(body.answer).toMatch(/^Not found: the knowledge base has no article about this question/);
      expect(body.confidence).toBeLessThan(0.2);
    }
    const { body } = await viewer.post('/ai/query', { query: secret });
    expect(JSON.stringify([body.citations, body.records])).not.toContain(articles.draft);
  });

  it('states its confidence in the answer, and cites only quoted articles', async () => {
    const tiers = new Set<string>();
    const unclear = ['Is there a printer on floor two?', 'Paper is stuck in the printer', 'VPN does not connect'];
    for (const asked of ['Error 812?', ...unclear, 'Who is the king of Spain?']) {
      const { body } = await ask({ question: asked });
      const tier = /^(Not found|Closest match, may not answer exactly)/.exec(body.answer)?.[1] ?? 'an answer';
      tiers.add(tier);
      expect(body.citations.length > 0).toBe(tier !== 'Not found');
      if (tier !== 'Not found') expect(body.related).toEqual([]);
      const again = await ask({ question: asked });
      expect(again.body).toMatchObject({ cache_hit: true, answer: body.answer, confidence: body.confidence });
    }
    expect([...tiers].sort()).toEqual(['Closest match, may not answer exactly', 'Not found', 'an answer']);
  });

  it('retries an uncertain answer after five minutes and finds new articles', async () => {
    const asked = { question: 'What does the lamp GLX-12 on the franking machine mean?' };
    expect([await isCached(ask(asked)), await isCached(ask(asked))]).toEqual([false, true]);
    const body = 'The lamp GLX-12 on the franking machine means that the ink is empty. Order ink FM-3.';
    await anArticle(manager, { title: 'Lamps of the franking machine', body, state: 'published' });
    await service.advance('5m1s', []);
    expect((await ask(asked)).body).toMatchObject({ cache_hit: false, answer: expect.stringMatching(/ink/) });
  });

  it('calls the model once for concurrent requests with the same question', async () => {
    const asked = { question: 'Why are the rollers of the printer worn out after so many pages?' };
    const calls = await countCalls(service, 'assist', async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => ask(asked)));
      // Nothing was cached before these requests.
      expect(answers.filter(({ body }) => body.cache_hit)).toEqual([]);
      expect(new Set(answers.map(({ body }) => body.answer)).size).toBe(1);
    });
    expect(calls).toMatchObject({ 'bedrock.POST': 1 });
  });

  it('returns 503 with Retry-After while the model is down; exemplars and suggestions still work', async () => {
    await fault('POST', { service: 'bedrock', error: 'ServiceUnavailableException' });
    const answer = await ask({ question: 'What is the TCP profile of the VPN good for?' });
    expectProblem(answer, 503, 'unavailable');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await viewer.post('/ai/exemplars', { description: 'VPN fails' })).status).toBe(200);
    expect((await viewer.post('/ai/suggest', { text: 'VPN fails' })).status).toBe(200);
    expectProblem(await analyze({ record_id: similar }), 503, 'unavailable');
  });

  it.each([
    ['AccessDeniedException', "You don't have access to the model with the specified model ID.", 'model_access_denied'],
    ['ResourceNotFoundException', 'Model use case details have not been submitted.', 'model_access_denied'],
    ['ValidationException', 'The provided model identifier is invalid.', 'model_not_in_region'],
    [
      'ValidationException',
      'Invocation of model ID a.b with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.',
      'model_not_in_region',
    ],
    ['ResourceNotFoundException', 'This model version has reached the end of its life.', 'model_retired'],
    ['ResourceNotFoundException', 'Access denied. This Model is marked by provider as Legacy.', 'model_retired'],
    ['ThrottlingException', 'Too many tokens, please wait before trying again.', 'model_throttled'],
  ])('names the cause of %s "%s": %s', async (error, message, code) => {
    await fault('POST', { service: 'bedrock', error, message });
    const answer = await ask({ question: `What does error 812 of the client mean, ${message}?` });
    expectProblem(answer, 503, code);
    expect(answer.body.title).toMatch(/^Language model /);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('uses a record as context, answers again when the record changes, and responds 404 without it', async () => {
    const { body: incident } = await anIncident(agent, { short_description: 'VPN says error 812 on my laptop' });
    const about = (id: string) =>
      ask({ question: 'What does this number mean?', context_record: { type: 'incident', id } });
    const { status, body } = await about(incident.id);
    expect(status).toBe(200);
    expect(body.answer).not.toBe('');
    expect([await isCached(about(incident.id)), await isCached(about(similar))]).toEqual([true, false]);
    await agent.patch(`/incidents/${incident.id}`, { urgency: 'high' });
    expect(await isCached(about(incident.id))).toBe(false);
    await agent.post(`/incidents/${incident.id}/notes`, { body: 'It comes from the certificate.' });
    expect(await isCached(about(incident.id))).toBe(false);
    expectProblem(await about('INC0000000'), 404, 'not_found');
  });

  it.each([
    [{}, 'question'],
    [{ question: 'x', max_kb_results: 21 }, 'max_kb_results'],
    [{ question: 'x', max_kb_results: 0 }, 'max_kb_results'],
    [{ question: 'x', model: 'gpt-5' }, 'model'],
    [{ question: 'x', context_record: { type: 'ticket', id: '1' } }, 'context_record.type'],
    [{ question: 'x', colour: 'red' }, 'colour'],
  ])('rejects %j, naming %s', async (body, field) => expectInvalid(await ask(body), field));

  it('rejects a question of more than 4,000 characters', async () => {
    expectInvalid(await ask({ question: 'x'.repeat(4_001) }), 'question');
  });
});

describe('analyzeRecord', () => {
  it('finds the cause with similar incidents as evidence; ids, times and the problem come from the data', async () => {
    const { body: incident } = await anIncident(agent, { short_description: 'VPN stops with error 809 in the hotel' });
    // Its suggestion changes the record.
    await service.advance('1s');
    const asked = { record_id: incident.id };
    const { status, body, headers } = await analyze({
      ...asked,
      record_type: 'incident',
      analysis_type: 'root_cause',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ record_id: incident.id, analysis_type: 'root_cause', cache_hit: false });
    expect(body.findings).toMatchObject({
      probable_root_cause: expect.any(String),
      resolution_steps: expect.any(Array),
      similar_past_incidents: [similar],
      related_problem: problem,
      estimated_resolution_minutes: 2,
    });
    expect(headers.get('x-ratelimit-limit')).toBe('30');
    expect((await analyze(asked)).body).toMatchObject({ cache_hit: true, tokens_used: 0 });
    await agent.patch(`/incidents/${incident.id}`, { urgency: 'high' });
    expect(await isCached(analyze(asked))).toBe(false);
  });

  it('never uses private notes', async () => {
    const { body: incident } = await anIncident(agent, { short_description: 'Scanner at the dock reads nothing' });
    await agent.post(`/incidents/${incident.id}/notes`, { body: 'The lens is dirty.' });
    await manager.post(`/incidents/${incident.id}/notes`, {
      body: 'The lens of the scanner was hit by XENIA-9 on purpose.',
      visibility: 'private',
    });
    for (const analysis_type of ['root_cause', 'impact', 'summary']) {
      const asked = { record_id: incident.id, analysis_type };
      const first = await manager.post('/ai/analyze', asked);
      expect(first.status).toBe(200);
      expect(JSON.stringify(first.body)).not.toMatch(/XENIA-9/);
      const { body } = await analyze(asked);
      expect(body).toMatchObject({ cache_hit: true, findings: first.body.findings });
    }
  });

  it('has low confidence without evidence', async () => {
    const { body: incident } = await anIncident(agent, {
      short_description: 'Zebra crossing app shows purple stripes',
    });
    const { body } = await analyze({ record_id: incident.id });
    expect(body.findings.confidence).toBeLessThanOrEqual(0.2);
    expect(body.findings).toMatchObject({ similar_past_incidents: [], estimated_resolution_minutes: null });
  });

  it.each(['impact', 'summary'])('returns findings of the kind %s', async (analysis_type) => {
    const { status, body } = await analyze({ record_id: similar, analysis_type });
    expect(status).toBe(200);
    expect(typeof body.findings[analysis_type]).toBe('string');
  });

  it('names the affected item and its dependents once, without ids or the assignment group', async () => {
    const { body: ci } = await manager.post('/cmdb/cis', { name: 'dock-scanner', class: 'device' });
    const fields = { short_description: 'Dock scanner is offline', ci_id: ci.id, assignment_group: 'logistics' };
    const { body: incident } = await anIncident(agent, fields);
    for (const name of ['dock-gate', 'dock-ramp']) {
      const relations = [{ type: 'depends_on', ci_id: ci.id }];
      await manager.post('/cmdb/cis', { name, class: 'device', relations });
    }
    const { body } = await analyze({ record_id: incident.id, analysis_type: 'impact' });
    const { affected } = body.findings;
    expect(affected[0]).toBe('dock-scanner');
    expect(affected.slice(1, 3).sort()).toEqual(['dock-gate', 'dock-ramp']);
    expect(new Set(affected).size).toBe(affected.length);
    expect(affected).not.toContain(ci.id);
    expect(affected).not.toContain('logistics');
  });

  it('rejects invalid fields and returns 404 for unknown records', async () => {
    expectInvalid(await analyze({ record_id: similar, analysis_type: 'mood' }), 'analysis_type');
    expectInvalid(await analyze({}), 'record_id');
    for (const record_id of ['INC0000000', articles.draft])
      expectProblem(await analyze({ record_id }), 404, 'not_found');
  });
});

it.each(['/ai/ask', '/ai/analyze', '/ai/query'])('%s requires a token and a role', async (path) => {
  expectProblem(await call(service, `/v1${path}`, { method: 'POST', body: '{}' }), 401, 'unauthorized');
  expectProblem(await roleless.post(path, {}), 403, 'forbidden');
});

it('caches answers for an hour, analyses for 30 minutes, exemplars for 15, suggestions for 5, and the copilot for one', async () => {
  const requests: Record<string, object> = {
    ask: { question: 'When does error 812 of the VPN client come?' },
    analyze: { record_id: similar, model: 'model-3-haiku' },
    exemplars: { description: 'VPN ends with error 809', top_k: 1 },
    suggest: { text: 'VPN ends with error 809', suggest_for: ['priority'] },
    query: { query: 'How many incidents are resolved?' },
  };
  // Requests are limited per minute.
  await service.advance('1m', []);
  for (const name of Object.keys(requests)) await viewer.post(`/ai/${name}`, requests[name]);
  const { body: counted } = await viewer.post('/ai/query', requests.query);
  expect(counted.cache_hit).toBe(true);
  const lifetimes = { query: 1, suggest: 5, exemplars: 15, analyze: 30, ask: 60 };
  let minutes = 0;
  for (const [name, lifetime] of Object.entries(lifetimes)) {
    await service.advance(`${lifetime - minutes - 1}m30s`, []);
    const api = await getApi(service, 'viewer');
    const { body: known } = await api.post(`/ai/${name}`, requests[name]);
    expect([name, known.cache_hit, known.tokens_used]).toEqual([name, true, 0]);
    const seconds = 60 * lifetime - 30;
    expect(known.cache.age_seconds).toBeGreaterThanOrEqual(seconds);
    expect(known.cache.age_seconds).toBeLessThan(seconds + 30);
    await service.advance('30s', []);
    expect([name, (await api.post(`/ai/${name}`, requests[name])).body.cache_hit]).toEqual([name, false]);
    minutes = lifetime;
  }
});
