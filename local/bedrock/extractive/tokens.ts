/** About as many as a language model would count: four characters of English each, and a mark of punctuation is one. */
export function tokensIn(text: string): number {
  const pieces = text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}\s]/gu) ?? [];
  return Math.max(
    1,
    pieces.reduce((total, piece) => total + Math.max(1, Math.round(piece.length / 4.5)), 0),
  );
}
