import type { ReactNode } from 'react';
import { toHref } from '../base/router.ts';
import { ExternalLink } from './kit/index.ts';
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
  return <ExternalLink href={toHref(to)}>{children}</ExternalLink>;
}
