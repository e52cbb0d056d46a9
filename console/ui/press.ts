import { useEffect, useState } from 'react';

// What appears during a press moves the pressed button, and the click misses it. So it waits for the end of the press.

/** A touch becomes a click shortly after it ends. */
const clickDelayMs = 50;

/** A bound for presses whose end the browser does not report. */
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

/** Calls back soon, but not while the user presses something. */
export function showUnpressed(show: () => void): void {
  setTimeout(() => {
    if (isPressed) waiting.push(show);
    else show();
  });
}

/** The value as of the last moment when the user pressed nothing. */
export function useUnpressed<T>(value: T): T {
  const [shown, setShown] = useState(value);
  useEffect(() => showUnpressed(() => setShown(value)), [value]);
  return shown;
}
