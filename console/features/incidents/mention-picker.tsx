import Button from '@cloudscape-design/components/button';
import { useApi } from '../../app/api.ts';
import { useLoad } from '../../records/use-load.ts';
import { useSettled } from '../../ui/screen.ts';

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
  if (unfinished === undefined || !data || data.data.length === 0) return null;
  return (
    <ul className="chips" aria-label="People to mention">
      {data.data.map(({ email, name }) => (
        <li key={email}>
          <Button formAction="none" ariaLabel={`Mention ${email}`} onClick={() => onPick(unfinished, `@${email} `)}>
            {name === null ? email : `${name} (${email})`}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** `@` and at most 60 letters at the end of the text, after a space or at the start. */
export function findUnfinishedMention(text: string): string | undefined {
  return /(?:^|\s)(@[\w.+-]{0,60})$/.exec(text.slice(-62))?.[1];
}
