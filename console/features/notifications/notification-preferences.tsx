import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../base/api.ts';
import { usePreferences } from '../../base/preferences.ts';
import { topicNames } from '../../resources/notification-words.ts';
import { Checkbox, Columns, Stack } from '../../ui/kit/index.ts';
import { Panel } from '../../ui/layouts.tsx';
import { FactsSkeleton } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useAction } from '../../ui/use-action.ts';

/** Which notifications the user receives. The service applies them in every browser. */
export function NotificationPreferences() {
  const { client } = useApi();
  const queries = useQueryClient();
  const { data, problem, reload } = usePreferences();
  const action = useAction();
  const change = (part: Partial<Record<keyof typeof topicNames | 'browser', boolean>>) =>
    action.run(async () => {
      if (part.browser && (await Notification.requestPermission()) !== 'granted') {
        throw new Error('The browser does not allow notifications of this page. Change this in its settings.');
      }
      queries.setQueryData(['preferences'], await client.updatePreferences({ notifications: part }));
      await queries.invalidateQueries({ queryKey: ['notifications'] });
    });
  return (
    <Panel title="Preferences" description="Notifications of other topics are hidden.">
      <Stack gap="s">
        {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
        {action.problem !== undefined && <ProblemView problem={action.problem} />}
        {!data && problem === undefined && <FactsSkeleton facts={3} label="Loading preferences" />}
        {data && (
          <Columns count={2}>
            {Object.entries(topicNames).map(([topic, text]) => (
              <Checkbox
                key={topic}
                checked={data.notifications[topic as keyof typeof topicNames]}
                disabled={action.busy}
                onChange={(checked) => change({ [topic]: checked })}
              >
                {text}
              </Checkbox>
            ))}
            {'Notification' in window && (
              <Checkbox
                checked={data.notifications.browser}
                disabled={action.busy}
                description="Only while the console is open in a tab."
                onChange={(checked) => change({ browser: checked })}
              >
                Browser notifications
              </Checkbox>
            )}
          </Columns>
        )}
      </Stack>
    </Panel>
  );
}
