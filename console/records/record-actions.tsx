import { type ReactNode, useState } from 'react';
import type { Role } from '../../contract/roles.ts';
import { useCaller, useHasRole } from '../base/caller.tsx';
import { navigate } from '../base/router.ts';
import { Box, Button, Row, Stack } from '../ui/kit/index.ts';
import { ActionModal, DeleteModal } from '../ui/modals.tsx';
import { usePageActions } from '../ui/page-actions.ts';
import { ProblemView } from '../ui/problem-view.tsx';
import { useAction } from '../ui/use-action.ts';
import type { RecordVersion } from './use-record.ts';

/** A record of any kind that needs approval. */
export interface ApprovedRecord {
  id: string;
  state: string;
  deleted: boolean;
  short_description: string;
  requested_by?: string;
  updated_at: string;
}

type Saved<Shown> = Promise<RecordVersion<Shown>>;

export interface ApprovalCalls<Shown> {
  decide(verdict: 'approve' | 'reject', note: string | null): Saved<Shown>;
  /** Absent for records that only a decision changes. */
  enter?(state: string): Saved<Shown>;
  remove?(): Promise<unknown>;
}

interface RecordActionsProps<Shown> {
  version: RecordVersion<Shown>;
  thing: string;
  listTo: string;
  approverRole: Role;
  /** The next states, with the texts of their buttons. */
  steps: Readonly<Record<string, string>>;
  /** The people who may not decide on it because it is their own. */
  owners: readonly (string | null)[];
  calls: ApprovalCalls<Shown>;
  /** Shown in the approval dialog. */
  approvalNotice?: ReactNode;
  onSaved(version: RecordVersion<Shown>): void;
}

type Question = 'approve' | 'reject' | 'cancelled' | 'delete';

/** Shows only the actions that the record's state and the user's role allow. */
export function RecordActions<Shown extends ApprovedRecord>(props: RecordActionsProps<Shown>) {
  const { version, steps, calls, onSaved, listTo } = props;
  const { record } = version;
  const canWrite = useHasRole('itsm_agent') && !record.deleted && calls.enter !== undefined;
  const [asking, setAsking] = useState<Question>();
  const action = useAction();
  const enter = (state: string) => action.run(async () => calls.enter && onSaved(await calls.enter(state)));
  usePageActions(
    canWrite
      ? [
          ...Object.entries(steps).map(([state, text]) => ({
            text,
            run: () => (state === 'cancelled' ? setAsking('cancelled') : void enter(state)),
          })),
          { text: `Edit ${record.id}`, run: () => navigate(`${listTo}/${record.id}/edit`) },
        ]
      : [],
  );
  return (
    <Stack gap="xs">
      <Row>
        <DecisionButtons {...props} onAsk={setAsking} />
        {canWrite &&
          Object.entries(steps).map(([state, text], place) => (
            <Button
              key={state}
              variant={place === 0 && state !== 'cancelled' ? 'primary' : 'normal'}
              loading={action.busy}
              onClick={() => (state === 'cancelled' ? setAsking('cancelled') : enter(state))}
            >
              {text}
            </Button>
          ))}
        {canWrite && (
          <Button to={`${listTo}/${record.id}/edit`} icon="edit">
            Edit
          </Button>
        )}
        {calls.remove && <DeleteButton record={record} onAsk={() => setAsking('delete')} />}
      </Row>
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      {asking && <Asking {...props} question={asking} onClose={() => setAsking(undefined)} />}
    </Stack>
  );
}

function DecisionButtons<Shown extends ApprovedRecord>(
  props: RecordActionsProps<Shown> & { onAsk(question: Question): void },
) {
  const { version, owners, approverRole, onAsk } = props;
  const { data: caller } = useCaller();
  const canDecide = useHasRole(approverRole);
  const isAdmin = useHasRole('super_admin');
  const { state, deleted } = version.record;
  if (!canDecide || deleted || !['submitted', 'pending'].includes(state)) return null;
  const own = owners.some((owner) => owner?.toLowerCase() === caller?.email.toLowerCase()) && !isAdmin;
  const why = own
    ? { disabled: true, disabledReason: 'You cannot approve or reject what you requested yourself.' }
    : {};
  return (
    <Row>
      <Button variant="primary" {...why} onClick={() => onAsk('approve')}>
        Approve
      </Button>
      <Button {...why} onClick={() => onAsk('reject')}>
        Reject
      </Button>
    </Row>
  );
}

function DeleteButton({ record, onAsk }: { record: ApprovedRecord; onAsk(): void }) {
  const canDelete = useHasRole('itsm_manager') && !record.deleted;
  return canDelete ? <Button icon="remove" ariaLabel="Delete" onClick={onAsk} /> : null;
}

function Asking<Shown extends ApprovedRecord>(
  props: RecordActionsProps<Shown> & { question: Question; onClose(): void },
) {
  const { question, thing, version, calls, onSaved, onClose, listTo } = props;
  const { id, short_description } = version.record;
  const subject = (
    <Box>
      <strong className="wrapping">{short_description}</strong>
    </Box>
  );
  if (question === 'approve' || question === 'reject') {
    const verb = question === 'approve' ? 'Approve' : 'Reject';
    return (
      <ActionModal
        title={`${verb} ${thing}`}
        confirmText={verb}
        noteLabel="Note for the requester"
        run={async (note) => onSaved(await calls.decide(question, note.trim() === '' ? null : note))}
        onClose={onClose}
      >
        {subject}
        {question === 'approve' && props.approvalNotice}
      </ActionModal>
    );
  }
  if (question === 'cancelled') {
    const cancel = async () => calls.enter && onSaved(await calls.enter('cancelled'));
    return (
      <ActionModal
        title={`Cancel ${thing}?`}
        confirmText={`Cancel ${thing}`}
        dismissText="Back"
        run={cancel}
        onClose={onClose}
      >
        {subject}
        <Box>You cannot undo this action.</Box>
      </ActionModal>
    );
  }
  return (
    <DeleteModal name={id} remove={() => calls.remove?.()} listTo={listTo} onClose={onClose}>
      {subject}
      <Box>The record is removed from all lists and retained for audit. You cannot undo this action.</Box>
    </DeleteModal>
  );
}
