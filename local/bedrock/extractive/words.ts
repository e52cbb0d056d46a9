// Words of a text in a form in which they can be compared: small letters, without accents and common endings, and without
// the words that are in every text. Identifiers (INC0000001, 0x80070005, db-1) stay whole.

const stopWords = new Set(
  (
    'a about above after again all also am an and any anyone are as at be because been before being below between both but by ' +
    'can cannot could did do does doing done down during each either else ever every few for from further get gets got had has ' +
    'have having he her here hers him his how i if in into is it its itself just let like made make makes many may me might ' +
    'more most much must my need needs no nor not now of off on once one only or other our ours out over own per please she ' +
    'should so some something somebody such than that the their theirs them then there these they this those through to too ' +
    'under until up us use used using very want was we were what when where which while who whom whose why will with within ' +
    'long large far often much fast big someone anyone would yet you your yours tell show give find list know happen happens happened mean means'
  ).split(' '),
);

const word = /[\p{L}\p{N}]+(?:[._:@/-][\p{L}\p{N}]+)*/gu;

export function wordsOf(text: string): string[] {
  return plainWords(text)
    .filter((each) => !stopWords.has(each))
    .map((each) => same.get(stem(each)) ?? stem(each));
}

/** All words, as they are, in small letters and without accents. */
export function plainWords(text: string): string[] {
  const plain = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\bbad gateway\b/g, '502')
    .replace(/\blog(ged|ging|s)? (?=(in|on|out)\b)/g, 'sign$1 ')
    .replace(/\bwi-fi\b/g, 'wifi')
    .replace(/\be-mail/g, 'email');
  return (plain.match(word) ?? []).flatMap((each) => (/\d/.test(each) ? [each] : each.split(/[._:@/-]/)));
}

/** Different words for the same thing, by their stems. */
const same = new Map(
  (
    'notebook:laptop email:mail inbox:mailbox wifi:wireless wlan:wireless display:screen monitor:screen swap:replac swapp:replac ' +
    'delet:remov purg:remov eras:remov solv:repair resolv:repair fix:repair login:sign logon:sign rollout:deploy ' +
    'deployment:deploy standby:replica appointment:meet employee:colleagu kill:end terminat:end audio:sound ' +
    'duplicat:twic phisher:phish retry:repeat retri:repeat someon:somebody drive:disk driv:disk'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

/** Cuts the endings by which forms of one word differ; never down to fewer than three letters. */
export function stem(text: string): string {
  if (/\d/.test(text) || text.length < 4) return text;
  for (const [ending, instead] of endings) {
    if (text.endsWith(ending) && text.length - ending.length >= 3) return text.slice(0, -ending.length) + instead;
  }
  return text;
}

const endings = [
  ['ations', 'at'],
  ['ation', 'at'],
  ['ings', ''],
  ['ing', ''],
  ['ied', 'y'],
  ['ies', 'y'],
  ['sses', 'ss'],
  ['ches', 'ch'],
  ['shes', 'sh'],
  ['xes', 'x'],
  ['ed', ''],
  ['ly', ''],
  ['ss', 'ss'],
  ['us', 'us'],
  ['es', ''],
  ['e', ''],
  ['s', ''],
] as const;
