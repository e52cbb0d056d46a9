import Button, { type ButtonProps } from '@cloudscape-design/components/button';
import type { ReactNode } from 'react';
import { hrefOf, navigate } from '../location.ts';

interface PageButtonProps {
  to: string;
  children: ReactNode;
  variant?: ButtonProps.Variant;
  iconName?: ButtonProps['iconName'];
}

/** A button that leads to another page of the console; middle click opens a tab, as with any link. */
export function PageButton({ to, children, variant = 'normal', iconName }: PageButtonProps) {
  return (
    <Button
      href={hrefOf(to)}
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
