// Runs before anything is drawn, as the first element of the body, so that a dark page never flashes white.
import { applyTheme } from './theme.ts';

applyTheme();
