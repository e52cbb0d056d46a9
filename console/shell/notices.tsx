import Flashbar from '@cloudscape-design/components/flashbar';
import { dismissNotice, notices } from '../notices.ts';
import { useStore } from '../use-store.ts';

export function Notices() {
  const shown = useStore(notices);
  return (
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
  );
}
