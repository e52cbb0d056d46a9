import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useState } from 'react';
import { PageButton } from '../../../components/page-button.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { useAction } from '../../../use-action.ts';
import { DeleteWebhookModal } from './delete-webhook-modal.tsx';

interface WebhookHeaderProps {
  name: string;
  description: ReactNode;
  /** What can be done with it, by the words on the button. */
  actions: Readonly<Record<string, () => Promise<void>>>;
  editTo: string;
  listTo: string;
  remove(): Promise<unknown>;
  /** What deleting it means. */
  warning: string;
}

export function WebhookHeader(props: WebhookHeaderProps) {
  const [deleting, setDeleting] = useState(false);
  const action = useAction();
  return (
    <SpaceBetween size="m">
      <Header
        variant="h1"
        description={props.description}
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            {Object.entries(props.actions).map(([text, work]) => (
              <Button key={text} disabled={action.busy} onClick={() => action.run(work)}>
                {text}
              </Button>
            ))}
            <Button onClick={() => setDeleting(true)}>Delete</Button>
            <PageButton to={props.editTo} variant="primary">
              Edit
            </PageButton>
          </SpaceBetween>
        }
      >
        {props.name}
      </Header>
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      {deleting && (
        <DeleteWebhookModal
          name={props.name}
          to={props.listTo}
          remove={props.remove}
          onClose={() => setDeleting(false)}
        >
          {props.warning}
        </DeleteWebhookModal>
      )}
    </SpaceBetween>
  );
}
