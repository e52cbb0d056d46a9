import { agoText, momentText } from '../time-text.ts';
import { useNow } from '../use-now.ts';

const tickMs = 30_000;

/** How long ago, with the exact time for those who point at it. */
export function Ago({ at }: { at: string }) {
  const now = useNow(tickMs);
  return (
    <time dateTime={at} title={momentText(at)} className="unbroken">
      {agoText(at, now)}
    </time>
  );
}

export function Moment({ at }: { at: string }) {
  return <time dateTime={at}>{momentText(at)}</time>;
}
