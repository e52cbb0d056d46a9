/**
 * After the next frame, when the form shows its problems, the reader is taken to the first of them. A field that opens
 * suggestions when it is focused would cover the problem with them, so it is only brought into sight.
 */
export function focusFirstProblem(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const field = form?.querySelector<HTMLElement>('[aria-invalid=true]');
    field?.scrollIntoView({ block: 'center' });
    if (field?.getAttribute('role') !== 'combobox') field?.focus({ preventScroll: true });
  });
}
