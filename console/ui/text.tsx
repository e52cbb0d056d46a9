import { useNow } from './screen.ts';
import { formatAge, formatTime } from './time.ts';

/** An address breaks before its domain, where it must break at all. */
export function Email({ address }: { address: string }) {
  const at = address.lastIndexOf('@');
  return (
    <span className="wrapping">
      {address.slice(0, Math.max(0, at))}
      <wbr />
      {address.slice(Math.max(0, at))}
    </span>
  );
}

/** Who it is, where there is little room; the whole address is there for those who point at it. */
export function Person({ address }: { address: string }) {
  const at = address.lastIndexOf('@');
  const [first, ...rest] = (at > 0 ? address.slice(0, at) : address).split(/(?<=\.)/);
  return (
    <span className="wrapping" title={address}>
      {first}
      {rest.length > 0 && <wbr />}
      {rest.join('')}
    </span>
  );
}

const tickMs = 30_000;

/** How long ago, with the exact time for those who point at it. */
export function Ago({ at }: { at: string }) {
  const now = useNow(tickMs);
  return (
    <time dateTime={at} title={formatTime(at)} className="unbroken">
      {formatAge(at, now)}
    </time>
  );
}

export function Moment({ at }: { at: string }) {
  return <time dateTime={at}>{formatTime(at)}</time>;
}
