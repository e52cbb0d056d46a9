import type { AnchorHTMLAttributes } from 'react';
import { navigate, toHref } from '../base/router.ts';

/** A link to another page of the console without the look of one. The browser opens tabs itself. */
export function PlainLink({ to, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { to: string }) {
  return (
    <a
      {...rest}
      href={toHref(to)}
      onClick={(event) => {
        rest.onClick?.(event);
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        navigate(to);
      }}
    />
  );
}
