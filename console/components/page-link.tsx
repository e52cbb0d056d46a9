import Link, { type LinkProps } from '@cloudscape-design/components/link';
import type { ReactNode } from 'react';
import { hrefOf, navigate } from '../location.ts';

interface PageLinkProps {
  to: string;
  children: ReactNode;
  variant?: LinkProps.Variant;
  fontSize?: LinkProps.FontSize;
  /** `inverted` on coloured ground. */
  color?: LinkProps.Color;
}

/** A link to another page of the console. */
export function PageLink({ to, children, variant = 'primary', fontSize = 'body-m', color = 'normal' }: PageLinkProps) {
  return (
    <Link
      href={hrefOf(to)}
      variant={variant}
      fontSize={fontSize}
      color={color}
      onFollow={(event) => {
        event.preventDefault();
        navigate(to);
      }}
    >
      {children}
    </Link>
  );
}
