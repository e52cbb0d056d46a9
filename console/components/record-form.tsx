import Button from '@cloudscape-design/components/button';
import Form from '@cloudscape-design/components/form';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode, Ref } from 'react';
import { PageButton } from './page-button.tsx';

interface RecordFormProps {
  ref: Ref<HTMLFormElement>;
  children: ReactNode;
  submitText: string;
  onSubmit(): void;
  saving: boolean;
  /** Where giving up leads. */
  cancelTo: string;
}

/** The frame of a page on which a record is written. */
export function RecordForm({ ref, children, submitText, onSubmit, saving, cancelTo }: RecordFormProps) {
  return (
    <form
      ref={ref}
      onSubmit={(event) => {
        event.preventDefault();
        if (!saving) onSubmit();
      }}
    >
      <Form
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <PageButton to={cancelTo} variant="link">
              Cancel
            </PageButton>
            <Button variant="primary" loading={saving} loadingText="Saving">
              {submitText}
            </Button>
          </SpaceBetween>
        }
      >
        <SpaceBetween size="l">{children}</SpaceBetween>
      </Form>
    </form>
  );
}
