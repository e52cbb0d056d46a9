import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMay } from '../../use-may.ts';
import { CallerPanel } from '../home/caller-panel.tsx';
import { ApiKeysPanel } from './api-keys-panel.tsx';
import { AuditPanel } from './audit-panel.tsx';

export function ProfilePage() {
  const readsAudit = useMay('super_admin');
  return (
    <ContentLayout header={<Header variant="h1">Profile</Header>}>
      <SpaceBetween size="l">
        <CallerPanel />
        <ApiKeysPanel />
        {readsAudit && <AuditPanel />}
      </SpaceBetween>
    </ContentLayout>
  );
}
