// What the user does before the application is there. A link changes the address, which the application then opens;
// clicks on other controls, text and the focus move to the same controls of the application.

const maxClicks = 20;

/** If the application cannot be loaded, the browser opens the link itself. */
const reloadMs = 20_000;

const controls = 'a[href], button, input, [role=button]';

/** Returns a function that calls `showApplication` and then repeats the input there. */
export function watchInput(view: HTMLElement): (showApplication: () => void) => void {
  const clicked: Element[] = [];
  let reload: ReturnType<typeof setTimeout> | undefined;
  view.addEventListener('click', (event) => {
    const control = event.target instanceof Element ? event.target.closest(controls) : null;
    if (!control || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!control.matches('input:not([type=checkbox])')) view.setAttribute('aria-busy', 'true');
    if (!(control instanceof HTMLAnchorElement)) {
      if (clicked.length < maxClicks) clicked.push(control);
      return;
    }
    event.preventDefault();
    if (control.href !== location.href) history.pushState({ position: 1 }, '', control.href);
    reload ??= setTimeout(() => location.reload(), reloadMs);
  });
  return (showApplication) => {
    clearTimeout(reload);
    const isPage = location.pathname === startPath;
    const { activeElement } = document;
    const focused = activeElement && view.contains(activeElement) ? findSame(activeElement, view) : undefined;
    const buttons = clicked.map((control) => findSame(control, view));
    const typed = [...view.querySelectorAll<HTMLInputElement>('input:not([type=checkbox])')]
      .filter(({ value, defaultValue }) => value !== defaultValue)
      .map((input) => ({ same: findSame(input, view), value: input.value }));
    showApplication();
    if (!isPage) return;
    // React handles events only after it has finished the update that shows the application.
    setTimeout(() => {
      for (const same of buttons) same()?.click();
      for (const { same, value } of typed) setText(same(), value);
      if (buttons.length === 0 && typed.length === 0) focused?.()?.focus({ preventScroll: true });
    });
  };
}

const startPath = location.pathname;

/** Finds the control of the application that has the same place among those with the same name. */
function findSame(control: Element, view: HTMLElement): () => HTMLElement | undefined {
  const names = ['type', 'href', 'aria-label', 'role'].filter((name) => control.hasAttribute(name));
  const attributes = names.map((name) => `[${name}="${CSS.escape(control.getAttribute(name) ?? '')}"]`);
  const selector = control.tagName + attributes.join('');
  const isSame = (other: Element) => control.hasAttribute('aria-label') || other.textContent === control.textContent;
  const list = (parent: Element) => [...parent.querySelectorAll<HTMLElement>(selector)].filter(isSame);
  const place = list(view).findIndex((other) => other.isSameNode(control));
  return () => {
    const root = document.getElementById('root');
    return root ? list(root)[place] : undefined;
  };
}

/** React ignores a value that is set without its own setter. */
function setText(input: HTMLElement | undefined, value: string): void {
  if (!(input instanceof HTMLInputElement)) return;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
  input.focus();
}
