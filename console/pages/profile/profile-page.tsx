import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { CallerPanel } from '../home/caller-panel.tsx';
import { ApiKeysPanel } from './api-keys-panel.tsx';

export function ProfilePage() {
  return (
    <ContentLayout header={<Header variant="h1">Profile</Header>}>
      <SpaceBetween size="l">
        <CallerPanel />
        <ApiKeysPanel />
      </SpaceBetween>
    </ContentLayout>
  );
}
