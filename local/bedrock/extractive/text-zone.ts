import type { Wording } from './wording.ts';

const aboutWords =
  /^(about|regarding|concerning|mentioning|mention|mentions|containing|contain|contains|saying|titled)$/;
const endWords = /^(that|which|who|are|is|since|from|by|assigned|owned|with|opened|created|planned|not|in|of)$/;

/** Whether a word belongs to what somebody wants texts to be about: "tickets about new laptops" are not new. */
export function isAboutText({ words }: Wording, place: number): boolean {
  for (let before = place - 1; before >= 0; before--) {
    const { plain } = words[before]!;
    if (aboutWords.test(plain)) return true;
    if (endWords.test(plain)) return false;
  }
  return false;
}
