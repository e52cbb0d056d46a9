import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import TokenGroup from '@cloudscape-design/components/token-group';
import { useCallback, useState } from 'react';
import { useApi } from '../../api.ts';
import { ProblemView } from '../../components/problem-view.tsx';
import { useAction } from '../../use-action.ts';
import { useLoad } from '../../use-load.ts';
import { SuggestingField } from '../incidents/form/suggesting-field.tsx';
import { useKnownValues } from '../incidents/form/use-known-values.ts';
import { noteReading } from './notification-words.ts';

/** The groups whose notifications one gets. */
export function FollowedGroups() {
  useKnownValues();
  const { client } = useApi();
  const { data, problem, reload } = useLoad(
    useCallback((signal: AbortSignal) => client.getNotificationSettings({}, { signal }), [client]),
  );
  const [group, setGroup] = useState('');
  const action = useAction();
  const groups = data?.groups ?? [];
  const follow = (chosen: readonly string[]) =>
    action.run(async () => {
      await client.updateNotificationSettings({ groups: [...chosen] });
      setGroup('');
      reload();
      noteReading();
    });
  const button = (
    <Button
      disabled={group.trim() === '' || groups.includes(group.trim()) || !data}
      loading={action.busy}
      onClick={() => follow([...groups, group.trim()])}
    >
      Follow
    </Button>
  );
  return (
    <Container
      header={
        <Header
          variant="h2"
          description="You are also notified about items that concern you or your role, such as approvals."
        >
          Followed groups
        </Header>
      }
    >
      <SpaceBetween size="s">
        {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
        {action.problem !== undefined && <ProblemView problem={action.problem} />}
        <SuggestingField
          field="assignment_group"
          label="Assignment group"
          value={group}
          onChange={setGroup}
          button={button}
        />
        <TokenGroup
          items={groups.map((label) => ({ label, dismissLabel: `Unfollow ${label}` }))}
          onDismiss={({ detail }) => follow(groups.filter((_, place) => place !== detail.itemIndex))}
        />
      </SpaceBetween>
    </Container>
  );
}
