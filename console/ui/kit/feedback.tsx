import './feedback.css';
import { Component, type ReactNode, useEffect, useId, useState } from 'react';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

interface AlertProps {
  type?: 'info' | 'success' | 'warning' | 'error';
  header?: ReactNode;
  action?: ReactNode;
  onDismiss?(): void;
  children?: ReactNode;
}

const alertIcons = { info: 'info', success: 'check-circle', warning: 'warning', error: 'error' } as const;
const alertNames = { info: 'Note', success: 'Success', warning: 'Warning', error: 'Error' } as const;

export function Alert({ type = 'info', header, action, onDismiss, children }: AlertProps) {
  return (
    <div className={`ui-alert ui-tone-${type}`}>
      <Icon name={alertIcons[type]} />
      <div className="ui-alert-text">
        <span className="visually-hidden">{alertNames[type]}: </span>
        {header && <strong>{header}</strong>}
        {children && <div>{children}</div>}
      </div>
      {action}
      {onDismiss && <Button variant="icon" icon="close" ariaLabel="Dismiss" onClick={onDismiss} />}
    </div>
  );
}

export type Tone = 'blue' | 'green' | 'orange' | 'red' | 'grey';

const statusLooks = {
  success: ['check-circle', 'green'],
  error: ['error', 'red'],
  warning: ['warning', 'orange'],
  info: ['info', 'blue'],
  pending: ['half', 'grey'],
  'in-progress': ['half', 'blue'],
  stopped: ['pause', 'grey'],
  'not-started': ['dashed', 'grey'],
  loading: ['half', 'grey'],
} as const satisfies Record<string, [IconName, Tone]>;

export type StatusType = keyof typeof statusLooks;

interface StatusProps {
  type: StatusType;
  /** Another color than that of the type. */
  tone?: Tone | undefined;
  unbroken?: boolean;
  children: ReactNode;
}

/** A state by icon, color and text. */
export function Status({ type, tone = statusLooks[type][1], unbroken = false, children }: StatusProps) {
  return (
    <span className={`ui-status ui-text-${tone}${unbroken ? ' unbroken' : ''}`}>
      <Icon name={statusLooks[type][0]} />
      <span>{children}</span>
    </span>
  );
}

export function Badge({ tone = 'grey', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`ui-badge ui-soft-${tone}`}>{children}</span>;
}

interface ProgressProps {
  /** In percent. */
  value: number;
  ariaLabel?: string;
  label?: ReactNode;
  description?: ReactNode;
  additionalInfo?: ReactNode;
}

export function Progress({ value, ariaLabel, label, description, additionalInfo }: ProgressProps) {
  const percent = Math.round(value);
  return (
    <div className="ui-stack ui-gap-xxs">
      {label}
      {description && <div className="ui-description">{description}</div>}
      <div
        role="progressbar"
        aria-label={ariaLabel ?? (typeof label === 'string' ? label : 'Progress')}
        aria-valuenow={percent}
        className="ui-progress"
      >
        <div style={{ inlineSize: `${percent}%` }} />
      </div>
      {additionalInfo && <div className="ui-description">{additionalInfo}</div>}
    </div>
  );
}

export function Skeleton({ width }: { width: string }) {
  return <div className="ui-skeleton" style={{ inlineSize: width }} />;
}

interface CopyProps {
  /** Names the button. */
  label: string;
  value: string;
  /** The text of the button. Without one it is an icon. */
  text?: string;
  /** Shows the value before the icon. */
  isValueShown?: boolean;
}

/** Copies a text to the clipboard and says so. */
export function CopyButton({ label, value, text, isValueShown = false }: CopyProps) {
  const [outcome, setOutcome] = useState<'Copied' | 'Could not copy'>();
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), 2_000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => setOutcome('Copied'),
      () => setOutcome('Could not copy'),
    );
  return (
    <span className="ui-copy">
      {isValueShown && <span className="wrapping">{value}</span>}
      <Button
        variant={text ? 'normal' : 'icon'}
        icon={outcome === 'Copied' ? 'check' : 'copy'}
        ariaLabel={label}
        onClick={copy}
      >
        {text}
      </Button>
      <span role="status" className="ui-copied">
        {outcome}
      </span>
    </span>
  );
}

interface ExpandableProps {
  title: string;
  counter?: string | undefined;
  description?: ReactNode;
  /** With a border of its own. */
  contained?: boolean;
  defaultExpanded?: boolean;
  children: ReactNode;
}

export function Expandable({ title, counter, description, contained, defaultExpanded, children }: ExpandableProps) {
  const [isOpen, setOpen] = useState(defaultExpanded ?? false);
  const id = useId();
  return (
    <div className={contained ? 'ui-expandable ui-container' : 'ui-expandable'}>
      <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <Icon name="right" />
        <span>
          {title} {counter && <span className="ui-counter">{counter}</span>}
          {description && <span className="ui-description">{description}</span>}
        </span>
      </button>
      <div id={id} className="ui-expanded" hidden={!isOpen}>
        {children}
      </div>
    </div>
  );
}

interface TabsProps {
  active: string;
  ariaLabel: string;
  onChange(id: string): void;
  tabs: readonly { id: string; label: string; content: ReactNode }[];
}

export function Tabs({ active, ariaLabel, onChange, tabs }: TabsProps) {
  const place = tabs.findIndex(({ id }) => id === active);
  return (
    <div className="ui-stack ui-gap-m">
      <div
        role="tablist"
        aria-label={ariaLabel}
        className="ui-tabs"
        onKeyDown={({ key, currentTarget }) => {
          const steps = { ArrowRight: 1, ArrowLeft: -1 };
          const next = tabs.at((place + (steps[key as keyof typeof steps] ?? 0)) % tabs.length);
          if (!next || next.id === active) return;
          onChange(next.id);
          currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[tabs.indexOf(next)]?.focus();
        }}
      >
        {tabs.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            role="tab"
            className="ui-tab"
            id={`tab-${id}`}
            aria-selected={id === active}
            aria-controls={`panel-${id}`}
            tabIndex={id === active ? 0 : -1}
            onClick={() => onChange(id)}
          >
            {label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`panel-${active}`} aria-labelledby={`tab-${active}`}>
        {tabs[place]?.content}
      </div>
    </div>
  );
}

interface ErrorBoundaryProps {
  fallback: ReactNode;
  children: ReactNode;
}

/** Shows the fallback where a component throws. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };
  static getDerivedStateFromError() {
    return { hasFailed: true };
  }
  override componentDidCatch(error: unknown) {
    console.error(error);
  }
  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
