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
