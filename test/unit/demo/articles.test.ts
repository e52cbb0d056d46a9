import { buildDemoArticles } from '../../../demo/articles.ts';
import { infrastructureIncidents } from '../../../demo/infrastructure-incidents.ts';
import { workplaceIncidents } from '../../../demo/workplace-incidents.ts';
import { articleListing } from '../../../lambdas/knowledge/article.ts';
import { encodeListing, formatRecordId } from '../../../lambdas/lists/listing.ts';
import { Replica } from '../../../lambdas/lists/replica.ts';
import { findPage } from '../../../lambdas/lists/scan.ts';

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

  // What people would type, and the article that helps.
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
