import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeCreation, changePatch } from '../../../contract/changes.ts';
import { ciCreation } from '../../../contract/cis.ts';
import { incidentCreation, incidentUpdate } from '../../../contract/incidents.ts';
import { decision } from '../../../contract/record-operations.ts';
import { requestCreation, requestPatch } from '../../../contract/requests.ts';
import type { IncidentState } from '../../../contract/states.ts';
import { workNoteCreation } from '../../../contract/work-notes.ts';
import { buildApprovalSteps, demoChanges, demoRequests } from '../../../demo/approvals.ts';
import { buildDemoArticles, listDemoTexts } from '../../../demo/articles.ts';
import { buildDemoCis } from '../../../demo/configuration-items.ts';
import { buildIncidentSteps, demoIncidents, type IncidentStep } from '../../../demo/incidents.ts';
import { infrastructureIncidents } from '../../../demo/infrastructure-incidents.ts';
import { workplaceIncidents } from '../../../demo/workplace-incidents.ts';
import { encodeKnown, preferKnownVectors, readKnownVectors } from '../../../lambdas/ai/embedding/known-vectors.ts';
import { embedderName } from '../../../lambdas/ai/embedding/model-files.ts';
import { cosine, packVector } from '../../../lambdas/ai/embedding/vector.ts';
import { toIncidentText } from '../../../lambdas/ai/learning/subject.ts';
import { transition } from '../../../lambdas/incidents/incident.ts';
import { articleListing } from '../../../lambdas/knowledge/article.ts';
import { encodeListing, formatRecordId } from '../../../lambdas/lists/listing.ts';
import { Replica } from '../../../lambdas/lists/replica.ts';
import { findPage } from '../../../lambdas/lists/scan.ts';
import { root } from '../../../tools/build/local-build.ts';
import { embedTexts } from '../../support/embedded.ts';

const now = Date.parse('2026-03-15T14:20:00.000Z');
const approvalSteps = buildApprovalSteps(now, 90);

function getSchema(record: string, action: string) {
  if (action === 'approve' || action === 'reject') return decision;
  const [creation, patch] = record.startsWith('change')
    ? [changeCreation, changePatch]
    : [requestCreation, requestPatch];
  return action === 'create' ? creation : patch;
}

/** The last state or action of each record. */
function listLastSteps(given = approvalSteps): Map<string, string> {
  return new Map(given.map(({ record, action, body }) => [record, String(body.state ?? action)]));
}

describe('demo changes and requests', () => {
  it('is deterministic, in order and in the past', () => {
    expect(buildApprovalSteps(now, 90)).toEqual(approvalSteps);
    const times = approvalSteps.map(({ atMs }) => atMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect([times[0]! > now - 91 * 86_400_000, times.at(-1)! < now]).toEqual([true, true]);
  });

  it('sends only valid requests', () => {
    for (const { record, action, body } of approvalSteps) {
      expect(getSchema(record, action).safeParse(body).error).toBeUndefined();
    }
  });

  it('creates every record first, and never lets people decide on their own records', () => {
    const requesters = new Map<string, string>();
    for (const { record, action, actor, role } of approvalSteps) {
      expect(requesters.has(record)).toBe(action !== 'create');
      if (action === 'create') requesters.set(record, actor);
      if (action === 'approve' || action === 'reject') {
        expect([role, actor === requesters.get(record)]).toEqual(['itsm_manager', false]);
      }
    }
    expect(requesters.size).toBe(demoChanges + demoRequests);
  });

  it.each(['2026-03-15T14:20:00.000Z', '2026-06-20T12:00:00.000Z', '2027-11-14T23:59:59.000Z'])(
    'leaves records in every state on %s, and future windows',
    (day) => {
      const at = Date.parse(day);
      const current = buildApprovalSteps(at, 90);
      const states = new Set(listLastSteps(current).values());
      for (const state of ['create', 'approve', 'reject', 'completed', 'fulfilled', 'cancelled']) {
        expect(states).toContain(state);
      }
      const ahead = current.filter(({ body }) => Date.parse(String(body.planned_start)) > at);
      expect(ahead.length).toBeGreaterThan(3);
    },
  );
});

const articles = buildDemoArticles();

const replica = new Replica(articleListing);
const at = '2026-03-01T00:00:00.000Z';
for (const [number, article] of articles.entries()) {
  const record = { id: formatRecordId(number, 'KB'), created_at: at, updated_at: at, ...article };
  replica.applyEncoded(encodeListing(articleListing, record));
}

describe('demo articles', () => {
  it('have one or two pages and unique titles', () => {
    const unusual = articles.filter(({ body }) => {
      const words = body.split(/\s+/).length;
      return words < 240 || words > 600;
    });
    expect(unusual.map(({ name }) => name)).toEqual([]);
    expect(new Set(articles.map(({ title }) => title)).size).toBe(articles.length);
    expect(articles.filter(({ state }) => state === 'draft').length).toBeGreaterThan(2);
  });

  it('cover every category of the demo incidents, published', () => {
    const published = articles.filter(({ state }) => state === 'published');
    const covered = new Set(published.map(({ category }) => category));
    for (const { category } of [...infrastructureIncidents, ...workplaceIncidents]) expect(covered).toContain(category);
  });

  // Typical questions and the article that answers them.
  it.each([
    ['vpn drops', 'vpn-peer-not-responding', 5],
    ['IKE-4012', 'vpn-address-pool-exhausted', 1],
    ['0x80070005', 'windows-access-denied-0x80070005', 1],
    ['0x80070020', 'windows-update-0x80070020', 1],
    ['the period is not open', 'erp-period-not-open', 1],
    ['mailbox full', 'mailbox-full-archive', 1],
    ['printer prints blank pages', 'printer-blank-pages', 1],
    ['checkout 502', 'checkout-502-after-release', 1],
    ['recovery key', 'bitlocker-recovery-key', 1],
    ['certificate expires', 'certificate-renewal-failed', 1],
    ['no sound', 'no-sound-in-video-calls', 1],
    ['meetings twice', 'calendar-meetings-twice', 1],
    ['account is locked', 'account-locked-old-device', 1],
    ['finance share', 'finance-share-access', 1],
    ['RADIO-21', 'access-point-replacement', 1],
    ['40P01', 'deadlock-detected', 1],
  ])('answer "%s" with %s', (q, name, withinBest) => {
    const query = { enums: {}, strings: {}, times: {}, text: q, sort: 'relevance', order: 'desc' } as const;
    const { rows } = findPage(replica, query, { skip: 0 }, withinBest);
    expect(rows.map(({ number }) => articles[number]!.name)).toContain(name);
  });
});

const cis = buildDemoCis();

describe('demo configuration items', () => {
  it('are valid and have unique names', () => {
    for (const { relations: _, ...fields } of cis) expect(ciCreation.safeParse(fields).error).toBeUndefined();
    expect(new Set(cis.map(({ name }) => name)).size).toBe(cis.length);
    expect(cis.length).toBeGreaterThan(70);
  });

  it('refer only to earlier items', () => {
    const before = new Set<string>();
    for (const { name, relations = [] } of cis) {
      for (const { to } of relations) expect([name, before.has(to)]).toEqual([name, true]);
      before.add(name);
    }
  });

  it('are used by the demo incidents', () => {
    const names = new Set(cis.map(({ name }) => name));
    const ciNames = buildIncidentSteps(now).flatMap(({ ci }) => ci ?? []);
    expect(ciNames.length).toBeGreaterThan(200);
    expect(ciNames.filter((ci) => !names.has(ci))).toEqual([]);
  });
});

const incidentSteps = buildIncidentSteps(now);
const schemas = { create: incidentCreation, update: incidentUpdate, note: workNoteCreation };

function lastStates(steps: readonly IncidentStep[]): Map<number, string> {
  const states = new Map<number, string>();
  for (const { incident, action, body } of steps) {
    if (action === 'create') states.set(incident, 'new');
    if (typeof body.state === 'string') states.set(incident, body.state);
  }
  return states;
}

describe('demo incidents', () => {
  it('is deterministic', () => {
    expect(buildIncidentSteps(now)).toEqual(incidentSteps);
  });

  it('happens in order, within the last 90 days, and never in the future', () => {
    const times = incidentSteps.map(({ atMs }) => atMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times[0]).toBeGreaterThan(now - 91 * 86_400_000);
    expect(times.at(-1)).toBeLessThan(now);
  });

  it('creates every incident before anything else happens to it', () => {
    const known = new Set<number>();
    for (const { incident, action } of incidentSteps) {
      expect(known.has(incident)).toBe(action !== 'create');
      known.add(incident);
    }
    expect(known.size).toBe(demoIncidents - 1);
  });

  it('sends only valid requests', () => {
    for (const { action, body } of incidentSteps) expect(schemas[action].safeParse(body).error).toBeUndefined();
  });

  it('follows the transition table', () => {
    const known = new Map<number, Parameters<typeof transition>[0]>();
    for (const { incident, action, body, atMs } of incidentSteps) {
      const before = known.get(incident) ?? { state: 'new', resolved_at: null, closed_at: null, reopen_count: 0 };
      const state = action === 'create' ? 'new' : ((body.state ?? before.state) as IncidentState);
      expect(() => known.set(incident, transition(before, state, atMs))).not.toThrow();
    }
  });

  it('leaves incidents in every state, most of them closed', () => {
    const counts = new Map<string, number>();
    for (const state of lastStates(incidentSteps).values()) counts.set(state, (counts.get(state) ?? 0) + 1);
    expect([...counts.keys()].sort()).toEqual(
      ['cancelled', 'closed', 'in_progress', 'new', 'on_hold', 'reopened', 'resolved'].sort(),
    );
    expect(counts.get('closed')! + counts.get('resolved')!).toBeGreaterThan(demoIncidents / 2);
  });

  it.each(['2026-01-01T03:00:00.000Z', '2026-06-20T12:00:00.000Z', '2027-11-14T23:59:59.000Z'])(
    'has open and closed incidents on %s, too',
    (day) => {
      const states = new Set(lastStates(buildIncidentSteps(Date.parse(day))).values());
      for (const state of ['new', 'in_progress', 'on_hold', 'reopened', 'resolved', 'closed', 'cancelled']) {
        expect(states).toContain(state);
      }
    },
  );

  it('leaves no placeholder in a text', () => {
    expect(JSON.stringify(incidentSteps)).not.toMatch(/\{(site|n)\}/);
  });
});

const file = join(root, 'demo/known-vectors.bin');
const known = readKnownVectors(file, embedderName);

describe('precomputed vectors', () => {
  it('cover exactly the texts of the demo; npm run generate updates them', () => {
    const vectors = new Map(listDemoTexts().map((text) => [text, packVector(known(text)!)]));
    expect(encodeKnown(vectors, embedderName).equals(readFileSync(file))).toBe(true);
    expect(known('How do I get a parking space?')).toBeUndefined();
  });

  it('cover the demo data of every start time', () => {
    for (const now of ['2026-02-28T03:00:00Z', '2027-06-15T14:00:00Z']) {
      const reports = buildIncidentSteps(Date.parse(now)).filter(({ action }) => action === 'create');
      for (const { body } of reports) {
        expect(known(toIncidentText(body as unknown as Parameters<typeof toIncidentText>[0]))).toBeDefined();
      }
    }
  });

  it('equal the output of the model', () => {
    const texts = listDemoTexts().filter((_, place) => place % 200 === 0);
    for (const [place, vector] of embedTexts(texts).entries()) {
      expect(cosine(known(texts[place]!)!, vector)).toBeGreaterThan(0.99);
    }
  });

  it('load the model only for the first unknown text', async () => {
    const made: string[] = [];
    const embed = preferKnownVectors(known, () => {
      made.push('a model');
      return async (text: string) => {
        made.push(text);
        return known(listDemoTexts()[0]!)!;
      };
    });
    await embed(listDemoTexts()[1]!);
    expect(made).toEqual([]);
    await embed('one');
    await embed('two');
    expect(made).toEqual(['a model', 'one', 'two']);
  });

  it('are rejected for another model, and empty without a file', () => {
    expect(() => readKnownVectors(file, 'another-model.1')).toThrow('not of another-model.1');
    expect(readKnownVectors('/there/is/none', embedderName)(listDemoTexts()[0]!)).toBeUndefined();
  });
});
