import { useEffect, useState } from 'react';

// New content can move a button while the user presses it, and then the click misses. So new content waits until the press ends.

/** A touch becomes a click shortly after it ends. */
const clickDelayMs = 50;

/** Ends a press that the browser never reports as ended. */
const maxPressMs = 5_000;

let isPressed = false;
let ending: ReturnType<typeof setTimeout> | undefined;
const waiting: (() => void)[] = [];

addEventListener(
  'pointerdown',
  () => {
    isPressed = true;
    endIn(maxPressMs);
  },
  true,
);
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => endIn(clickDelayMs), true);

function endIn(delayMs: number): void {
  clearTimeout(ending);
  ending = setTimeout(() => {
    isPressed = false;
    for (const show of waiting.splice(0)) show();
  }, delayMs);
}

/** Calls `show` soon, or after the current press. */
export function showUnpressed(show: () => void): void {
  setTimeout(() => {
    if (isPressed) waiting.push(show);
    else show();
  });
}

/** The latest value, without changes during a press. */
export function useUnpressed<T>(value: T): T {
  const [shown, setShown] = useState(value);
  useEffect(() => showUnpressed(() => setShown(value)), [value]);
  return shown;
}
