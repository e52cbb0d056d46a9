import { useApi } from '../../base/api.ts';
import { useLoad } from '../../base/use-load.ts';
import type { CustomControls, CustomFieldProps } from '../../records/record-fields.tsx';
import { SuggestingField } from '../../resources/suggesting-field.tsx';
import { Combobox, FormField } from '../../ui/kit/index.ts';

export const requestControls: CustomControls = {
  item: ItemField,
  assignee: ({ name, label, value, problems, onChange }) => (
    <SuggestingField
      field="requested_for"
      label={label}
      placeholder="name@example.com"
      value={value}
      onChange={onChange}
      errorText={problems[name]}
    />
  ),
};

/** Offers the items of the catalog and accepts others. */
function ItemField({ name, label, value, problems, onChange }: CustomFieldProps) {
  const { client } = useApi();
  const { data, loading } = useLoad(['requests', 'catalog'], (signal) => client.getRequestCatalog({}, { signal }));
  const chosen = data?.items.find((item) => item.name === value);
  return (
    <FormField
      label={label}
      constraintText={chosen?.description ?? 'Choose an item from the catalog, or name another one.'}
      errorText={problems[name]}
      stretch
    >
      <Combobox
        value={value}
        placeholder="For example laptop"
        options={(data?.items ?? []).map((item) => ({ value: item.name, description: item.description }))}
        loading={loading}
        loadingText="Loading the catalog"
        onChange={onChange}
      />
    </FormField>
  );
}
