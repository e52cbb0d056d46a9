import Button, { type ButtonProps } from '@cloudscape-design/components/button';
import Link from '@cloudscape-design/components/link';
import type { ReactNode } from 'react';
import { navigate, toHref } from '../base/router.ts';
import { PlainLink } from './plain-link.tsx';

interface PageLinkProps {
  to: string;
  children: ReactNode;
  /** Links of a list or card have no line below. */
  variant?: 'primary' | 'secondary';
  fontSize?: 'body-m' | 'heading-s' | 'inherit';
  /** `inverted` on a colored background. */
  color?: 'normal' | 'inverted';
}

/** A link to another page of the console. A list has dozens, so it is a plain element. */
export function PageLink({ to, children, variant = 'primary', fontSize = 'body-m', color = 'normal' }: PageLinkProps) {
  return (
    <PlainLink to={to} className={`page-link ${variant} ${fontSize} ${color}`}>
      {children}
    </PlainLink>
  );
}

/** Leaves the page with its unsaved text open. */
export function NewTabLink({ to, children }: Pick<PageLinkProps, 'to' | 'children'>) {
  return (
    <Link href={toHref(to)} external externalIconAriaLabel="Opens in a new tab">
      {children}
    </Link>
  );
}

interface PageButtonProps {
  to: string;
  children: ReactNode;
  variant?: ButtonProps.Variant;
  iconName?: ButtonProps['iconName'];
}

/** A button that links to another page of the console; a middle click opens a tab. */
export function PageButton({ to, children, variant = 'normal', iconName }: PageButtonProps) {
  return (
    <Button
      href={toHref(to)}
      variant={variant}
      {...(iconName ? { iconName } : {})}
      onFollow={(event) => {
        event.preventDefault();
        navigate(to);
      }}
    >
      {children}
    </Button>
  );
}
