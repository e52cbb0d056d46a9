/** Strings that many records share, each kept once. Code 0 means null. */
export class Dictionary {
  private readonly codes = new Map<string, number>();
  private readonly texts: string[] = [];

  get size(): number {
    return this.texts.length;
  }

  /** Undefined when no record ever had the text. */
  codeOf(text: string | null): number | undefined {
    return text === null ? 0 : this.codes.get(text);
  }

  add(text: string | null): number {
    if (text === null) return 0;
    const known = this.codes.get(text);
    if (known !== undefined) return known;
    this.texts.push(text);
    this.codes.set(text, this.texts.length);
    return this.texts.length;
  }

  /** In the order of their codes, beginning with 1. */
  values(): readonly string[] {
    return this.texts;
  }
}
