import './toasts.css';
import { useLayoutEffect, useRef } from 'react';
import { useStore } from '../base/store.ts';
import { Button, Icon, Spinner } from '../ui/kit/index.ts';
import { dismissNotice, notices, type ShownNotice } from '../ui/notices.ts';

const icons = { success: 'check-circle', error: 'error', warning: 'warning', info: 'info' } as const;

/**
 * Notices above the page, which does not move, and above dialogs: what is shown last in the top layer is on top. The region
 * is always there, so that screen readers announce changes.
 */
export function Toasts() {
  const shown = useStore(notices);
  const region = useRef<HTMLElement>(null);
  const latest = shown[0]?.id;
  useLayoutEffect(() => {
    if (latest === undefined) return;
    region.current?.hidePopover();
    region.current?.showPopover();
  }, [latest]);
  useLayoutEffect(() => region.current?.showPopover(), []);
  return (
    <section ref={region} className="toasts" aria-label="Notices" popover="manual">
      {shown.map((notice) => (
        <Toast key={notice.id} notice={notice} />
      ))}
    </section>
  );
}

function Toast({ notice: { id, type, header, content, action } }: { notice: ShownNotice }) {
  return (
    <div className={`toast toast-${type}`} role={type === 'error' ? 'alert' : 'status'}>
      {type === 'in-progress' ? <Spinner /> : <Icon name={icons[type]} />}
      <div className="toast-text">
        {header && <strong>{header}</strong>}
        <div>{content}</div>
      </div>
      {action && (
        <Button
          onClick={() => {
            dismissNotice(id);
            action.run();
          }}
        >
          {action.text}
        </Button>
      )}
      <Button variant="icon" icon="close" ariaLabel="Dismiss" onClick={() => dismissNotice(id)} />
    </div>
  );
}
