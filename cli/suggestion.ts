import leven from 'leven';

const maxDistance = 3;

/** The sentence with the known words that are closest to the start of the given ones, or with the fallback. */
export function describeMistake(sentence: string, given: string, known: readonly string[], fallback = ''): string {
  const [closest] = known
    .map((word) => ({ word, start: given.split(' ').slice(0, word.split(' ').length).join(' ') }))
    .map(({ word, start }) => ({ word, distance: leven(start, word) }))
    .filter(({ word, distance }) => distance <= Math.min(maxDistance, word.length / 2))
    .sort((a, b) => a.distance - b.distance);
  return [sentence, closest ? `Did you mean ${closest.word}?` : fallback].filter(Boolean).join(' ');
}
