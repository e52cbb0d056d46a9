import Button, { type ButtonProps } from '@cloudscape-design/components/button';
import Link, { type LinkProps } from '@cloudscape-design/components/link';
import type { ReactNode } from 'react';
import { navigate, toHref } from '../base/router.ts';

interface PageLinkProps {
  to: string;
  children: ReactNode;
  variant?: LinkProps.Variant;
  fontSize?: LinkProps.FontSize;
  /** `inverted` on a colored background. */
  color?: LinkProps.Color;
}

/** A link to another page of the console. */
export function PageLink({ to, children, variant = 'primary', fontSize = 'body-m', color = 'normal' }: PageLinkProps) {
  return (
    <Link
      href={toHref(to)}
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
