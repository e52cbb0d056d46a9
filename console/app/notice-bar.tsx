import Flashbar from '@cloudscape-design/components/flashbar';
import { useStore } from '../base/store.ts';
import { dismissNotice, notices } from '../ui/notices.ts';

/** Stays in place when the page scrolls. */
export function NoticeBar() {
  const shown = useStore(notices);
  return (
    <div className="notice-bar">
      <Flashbar
        stackItems={shown.length > 2}
        items={shown.map(({ id, type, header, content }) => ({
          id,
          type,
          header,
          content,
          loading: type === 'in-progress',
          dismissible: true,
          dismissLabel: 'Dismiss',
          ariaRole: type === 'error' ? 'alert' : 'status',
          onDismiss: () => dismissNotice(id),
        }))}
      />
    </div>
  );
}
