import { listSearches, rankByHits } from '../../../console/features/incidents/article-searches.ts';

describe('articles for the text of an incident', () => {
  it('are searched by a short text, or by the longest words of a long one', () => {
    expect(listSearches('VPN error 809')).toEqual(['VPN error 809']);
    const long = 'Since this morning the turnstile at the north gate rejects every badge, also those of the guards';
    expect(listSearches(long)).toEqual(['turnstile', 'morning', 'rejects', 'guards', 'since']);
  });

  it('are ranked by hits, and need more than one', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id }));
    if (!a || !b || !c) throw new Error('missing');
    expect(rankByHits([[a, b], [b], [c, a, b]])).toEqual([b, a]);
    expect(rankByHits([[c, a]])).toEqual([c, a]);
  });
});
