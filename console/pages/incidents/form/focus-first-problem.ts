/** After the next frame, when the form shows its problems, the reader is taken to the first of them. */
export function focusFirstProblem(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const field = form?.querySelector<HTMLElement>('[aria-invalid=true]');
    field?.focus();
    field?.scrollIntoView({ block: 'center' });
  });
}
