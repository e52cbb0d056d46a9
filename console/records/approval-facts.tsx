import Box from '@cloudscape-design/components/box';
import { Email } from '../components/email.tsx';
import { Ago, Moment } from '../components/moment.tsx';
import type { Fact } from './record-page.tsx';

interface Approvable {
  requested_by: string;
  decision_by: string | null;
  decision_at: string | null;
  created_at: string;
  updated_at: string;
}

/** What stays as it was approved; the service refuses to change it. */
export function approvedFields<Name extends string>(names: Readonly<Record<Name, true>>, thing: string) {
  return ({ decision_at, state }: Pick<Approvable, 'decision_at'> & { state: string }) => {
    if (decision_at === null || state === 'rejected') return undefined;
    const why = `Approved fields cannot be changed. To change them, cancel this ${thing} and create a new one.`;
    return { fields: Object.keys(names), why };
  };
}

export const noValue = <Box color="text-status-inactive">–</Box>;

export function approvalFacts(record: Approvable): Fact[] {
  return [
    { label: 'Requested by', value: <Email address={record.requested_by} /> },
    { label: 'Decided by', value: record.decision_by === null ? noValue : <Email address={record.decision_by} /> },
    ...(record.decision_at === null ? [] : [{ label: 'Decided', value: <Moment at={record.decision_at} /> }]),
    { label: 'Created', value: <Moment at={record.created_at} /> },
    { label: 'Updated', value: <Ago at={record.updated_at} /> },
  ];
}
