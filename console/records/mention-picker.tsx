import type { KeyboardEvent } from 'react';
import { useApi } from '../base/api.ts';
import { useLoad } from '../base/use-load.ts';
import { Button } from '../ui/kit/index.ts';
import { useSettled } from '../ui/screen.ts';

interface MentionPickerProps {
  /** The text up to the caret. */
  text: string;
  /** Gets what to replace the unfinished mention with. */
  onPick(unfinished: string, mention: string): void;
}

const pauseMs = 200;

const maxPeople = 5;

/** Offers people while the text ends with an unfinished mention, such as `@ada`. */
export function MentionPicker({ text, onPick }: MentionPickerProps) {
  const { client } = useApi();
  const unfinished = findUnfinishedMention(text);
  const q = useSettled(unfinished?.slice(1) ?? '', pauseMs);
  const { data } = useLoad(
    ['directory', 'people', q],
    (signal) => client.listPeople({ limit: maxPeople, ...(q === '' ? {} : { q }) }, { signal, retries: 0 }),
    { enabled: unfinished !== undefined, keepPrevious: true },
  );
  // The people of an earlier text are shown until those of the current one arrive.
  const people = (data?.data ?? []).filter(({ email, name }) =>
    `${email} ${name ?? ''}`.toLowerCase().includes(unfinished?.slice(1).toLowerCase() ?? ''),
  );
  if (unfinished === undefined || people.length === 0) return null;
  return (
    <ul className="chips" aria-label="People to mention">
      {people.map(({ email, name }) => (
        <li key={email}>
          <Button ariaLabel={`Mention ${email}`} onClick={() => onPick(unfinished, `@${email} `)}>
            {name === null ? email : `${name} (${email})`}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Enter and Tab in the text choose the first person, once a letter is typed. */
export function pickWithKey(event: KeyboardEvent<HTMLFormElement>, text: string): void {
  const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  const isPick = isPlain && (event.key === 'Enter' || event.key === 'Tab');
  if (!isPick || !(event.target instanceof HTMLTextAreaElement) || (findUnfinishedMention(text) ?? '@') === '@') return;
  const first = event.currentTarget.querySelector<HTMLElement>('[aria-label="People to mention"] button');
  if (!first) return;
  event.preventDefault();
  first.click();
}

/** `@` and at most 60 letters at the end of the text, after a space or at the start. */
export function findUnfinishedMention(text: string): string | undefined {
  return /(?:^|\s)(@[\w.+-]{0,60})$/.exec(text.slice(-62))?.[1];
}
