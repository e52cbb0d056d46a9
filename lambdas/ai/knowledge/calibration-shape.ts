// The numbers that `npm run calibrate` fits, by name.

export const confidenceSignals = ['score', 'margin'] as const;

export type ConfidenceSignals = Readonly<Record<(typeof confidenceSignals)[number], number>>;

export type Calibration = {
  readonly embedder: string;
  readonly confidence: ConfidenceSignals & { readonly intercept: number; readonly secondFloor: number };
  readonly tiers: { readonly high: number; readonly middle: number };
  /** Articles below this score are not named as related. */
  readonly minRelatedScore: number;
  /** Cosines between texts of incidents, from unrelated to nearly the same. */
  readonly similarity: {
    readonly far: number;
    /** Less similar incidents have no vote on fields. */
    readonly vote: number;
    /** Less similar incidents support no analysis. */
    readonly evidence: number;
    /** Resolutions of less similar incidents are not suggested. */
    readonly resolution: number;
    readonly near: number;
  };
};
