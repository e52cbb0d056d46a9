import './layout.css';
import type { ReactNode } from 'react';

type Gap = 'xxs' | 'xs' | 's' | 'm' | 'l';

/** Children below each other. */
export function Stack({ gap = 'l', children }: { gap?: Gap; children: ReactNode }) {
  return <div className={`ui-stack ui-gap-${gap}`}>{children}</div>;
}

interface RowProps {
  gap?: Gap;
  align?: 'center' | 'end' | 'start';
  children: ReactNode;
}

/** Children beside each other, with line breaks where there is no room. */
export function Row({ gap = 'xs', align = 'center', children }: RowProps) {
  return <div className={`ui-row ui-gap-${gap} ui-align-${align}`}>{children}</div>;
}

/** Columns of one width, or a wide one with a narrow one beside it; below each other on small screens. */
export function Columns({ count = 2, children }: { count?: 2 | 3 | 'main-side'; children: ReactNode }) {
  return <div className={`ui-columns ui-columns-${count}`}>{children}</div>;
}

interface BoxProps {
  variant?: 'div' | 'h1' | 'h3' | 'span' | 'strong' | 'code' | 'label';
  /** Less important than the text beside it. */
  muted?: boolean;
  small?: boolean;
  center?: boolean;
  /** Space above and below. */
  padded?: 's' | 'l' | 'xxl';
  children?: ReactNode;
}

export function Box({ variant = 'div', muted, small, center, padded, children }: BoxProps) {
  const Element = variant === 'label' ? 'div' : variant;
  const classes = [
    `ui-box-${variant}`,
    muted && 'ui-muted',
    small && 'ui-small',
    center && 'ui-center',
    padded && `ui-padded-${padded}`,
  ];
  return <Element className={classes.filter(Boolean).join(' ')}>{children}</Element>;
}

interface HeaderProps {
  variant?: 'h1' | 'h2' | 'h3';
  /** The number of things below, in parentheses. */
  counter?: string | undefined;
  description?: ReactNode;
  info?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export type { HeaderProps };

export function Header({ variant: Heading = 'h2', counter, description, info, actions, children }: HeaderProps) {
  return (
    <div className={`ui-header ui-header-${Heading}`}>
      <div className="ui-header-text">
        <Heading>
          {children}
          {counter && <span className="ui-counter"> {counter}</span>} {info}
        </Heading>
        {description && <div className="ui-description">{description}</div>}
      </div>
      {actions && <div className="ui-header-actions">{actions}</div>}
    </div>
  );
}

interface ContainerProps {
  header?: ReactNode;
  footer?: ReactNode;
  /** As high as the others in its row. */
  fitHeight?: boolean;
  children?: ReactNode;
}

export type { ContainerProps };

export function Container({ header, footer, fitHeight, children }: ContainerProps) {
  return (
    <div className={fitHeight ? 'ui-container ui-fit' : 'ui-container'}>
      {header && <div className="ui-container-header">{header}</div>}
      {children !== undefined && <div className="ui-container-body">{children}</div>}
      {footer && <div className="ui-container-footer">{footer}</div>}
    </div>
  );
}

interface KeyValuesProps {
  columns?: number;
  items: readonly { label: ReactNode; value: ReactNode }[];
}

/** Facts with their labels, in up to four columns. */
export function KeyValues({ columns = 2, items }: KeyValuesProps) {
  return (
    <dl className={`ui-facts ui-facts-${columns}`}>
      {items.map(({ label, value }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: labels may repeat, and facts have no other identity.
        <div key={place}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
