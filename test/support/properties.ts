// Property tests try the same cases in every run, so that a run never fails by chance. PROPERTY_SEED=<number> tries others.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_261_118) });

export { default } from 'fast-check';
