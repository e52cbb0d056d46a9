import './button.css';
import type { MouseEvent, ReactNode } from 'react';
import { navigate, toHref } from '../../base/router.ts';
import { Icon, type IconName } from './icon.tsx';

export interface ButtonProps {
  /** `icon` has no border; `inline` looks like a link in a text. */
  variant?: 'primary' | 'normal' | 'link' | 'icon' | 'inline' | 'danger' | undefined;
  icon?: IconName | undefined;
  children?: ReactNode;
  ariaLabel?: string | undefined;
  ariaExpanded?: boolean | undefined;
  /** Submits its form. */
  submit?: boolean;
  disabled?: boolean;
  /** Why it is disabled. The button can be focused, so that everybody can read it. */
  disabledReason?: string | undefined;
  loading?: boolean;
  loadingText?: string;
  fullWidth?: boolean;
  /** Makes it a link to a page of the console. */
  to?: string;
  onClick?(): void;
}

export function Button({ variant = 'normal', icon, children, to, ...props }: ButtonProps) {
  const { disabled = false, disabledReason, loading = false } = props;
  const isInert = loading || (disabled && disabledReason !== undefined);
  const text = loading && props.loadingText ? props.loadingText : children;
  const shared = {
    className: `ui-button ui-button-${variant}${text === undefined ? ' ui-square' : ''}${props.fullWidth ? ' ui-full' : ''}`,
    'aria-label': props.ariaLabel,
    title: disabledReason ?? (text === undefined ? props.ariaLabel : undefined),
  };
  const content = (
    <>
      {loading ? <Spinner /> : icon && <Icon name={icon} />}
      {text !== undefined && <span>{text}</span>}
    </>
  );
  if (to !== undefined) {
    return (
      <a {...shared} href={toHref(to)} onClick={(event) => followLink(event, to)}>
        {content}
      </a>
    );
  }
  return (
    <button
      {...shared}
      type={props.submit ? 'submit' : 'button'}
      aria-expanded={props.ariaExpanded}
      aria-busy={loading || undefined}
      aria-disabled={isInert || undefined}
      aria-description={disabledReason}
      disabled={disabled && !isInert}
      onClick={(event) => {
        if (isInert) event.preventDefault();
        else props.onClick?.();
      }}
    >
      {content}
    </button>
  );
}

/** The browser opens tabs itself. */
export function followLink(event: MouseEvent, to: string): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  navigate(to);
}

export function Spinner() {
  return <span className="ui-spinner" aria-hidden="true" />;
}

interface LinkProps {
  href: string;
  rel?: string;
  children: ReactNode;
}

/** A link that opens a new tab. */
export function ExternalLink({ href, rel = 'noopener noreferrer', children }: LinkProps) {
  return (
    <a className="ui-external" href={href} target="_blank" rel={rel}>
      {children}
      <Icon name="external" />
      <span className="visually-hidden"> Opens in a new tab</span>
    </a>
  );
}
