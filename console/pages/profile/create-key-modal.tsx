import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import { useState } from 'react';
import type { Role } from '../../../contract/roles.ts';
import { useApi } from '../../api.ts';
import { useCaller } from '../../caller.tsx';
import { DecisionModal } from '../../components/decision-modal.tsx';
import { ProblemView } from '../../components/problem-view.tsx';
import { divideProblem } from '../../field-problems.ts';
import { roleNames } from '../../role-names.ts';
import { useAction } from '../../use-action.ts';

interface CreateKeyModalProps {
  onClose(): void;
  onMade(key: string): void;
}

/** Least first: a caller may give what it has, and less. */
const roles = Object.keys(roleNames) as Role[];

export function CreateKeyModal({ onClose, onMade }: CreateKeyModalProps) {
  const { client } = useApi();
  const held = useCaller().data?.roles ?? [];
  const grantable = roles.slice(0, 1 + Math.max(...held.map((role) => roles.indexOf(role))));
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const action = useAction();
  const { byField, rest } = divideProblem(action.problem, (field) => field === 'name' || field === 'role');
  const options = grantable.map((value) => ({ value, label: roleNames[value] }));
  const create = () =>
    action.run(async () => {
      onMade((await client.createApiKey({ name, role })).key);
    });
  return (
    <DecisionModal
      title="Create API key"
      confirmText="Create key"
      onConfirm={create}
      busy={action.busy}
      disabled={name.trim() === ''}
      dismissText="Cancel"
      onDismiss={onClose}
    >
      {rest !== undefined && <ProblemView problem={rest} />}
      <FormField label="Name" description="What this key is used for." errorText={byField.name}>
        <Input value={name} onChange={({ detail }) => setName(detail.value)} />
      </FormField>
      <FormField label="Role" description="Choose the least privileged role that works." errorText={byField.role}>
        <Select
          selectedOption={options.find(({ value }) => value === role) ?? null}
          options={options}
          onChange={({ detail }) => setRole(detail.selectedOption.value as Role)}
        />
      </FormField>
    </DecisionModal>
  );
}
